#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/diff/logs/log_diff.h"
#include "core/report/model/report_request.h"
#include "core/study/run_comparison.h"

namespace highwater {

/// The devices of two runs, peak against peak; or one device at two moments.
struct DeviceComparison
{
    RunComparison runs;
    ComparedEvents events;
    DiffFindings bySite;
    RunDiff byCategory;
};

/// The content of a report on two runs that is independent of its notes and options. Immutable. Points into
/// the traces of both runs.
struct ReportComparison
{
    std::optional<DeviceComparison> devices; ///< For runs with allocations
    std::optional<LogDiff> logs; ///< For runs that are logs
    std::vector<SettingChange> settings; ///< Settings that differ
};

/// Compares two runs. Fails with BadRequest if they cannot be compared: they count different bytes, or only
/// one is a log. O(frames + stacks + steps), or O(values) for logs.
Result<std::shared_ptr<const ReportComparison>> compareReportRuns(
    const RunStudy& before, const RunStudy& after);

/// Compares two moments of a run with allocations. Costs as much as `compareReportRuns`.
DeviceComparison compareReportMoments(const RunStudy& run, const ComparedEvents& moments);

} // namespace highwater

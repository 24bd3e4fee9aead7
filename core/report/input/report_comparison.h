#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/diff/log_diff.h"
#include "core/report/model/report_request.h"
#include "core/study/run_comparison.h"

namespace highwater {

/// The same devices of two runs, peak against peak.
struct DeviceComparison
{
    RunComparison runs;
    DiffFindings bySite;
    RunDiff byCategory;
};

/// What a report tells of two runs, whatever its notes and options are. Immutable. Points into the traces of
/// both runs.
struct ReportComparison
{
    std::optional<DeviceComparison> devices; ///< of runs with allocations
    std::optional<LogDiff> logs; ///< of runs that are logs
    std::vector<SettingChange> settings; ///< settings that differ, lists folded
};

/// Fails with BadRequest where the runs cannot be compared: they count different bytes, or only one is a log.
/// O(frames + stacks + steps), or O(values) of logs.
Result<std::shared_ptr<const ReportComparison>> compareReportRuns(
    const RunStudy& before, const RunStudy& after);

} // namespace highwater

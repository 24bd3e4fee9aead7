#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/diff/log_diff.h"
#include "core/report/model/report_request.h"
#include "core/study/run_comparison.h"

namespace highwater {

/// One run of a report under the name that it has there.
struct RunMaterial
{
    const RunStudy& study;
    const std::vector<ReportSource>& sources;
    std::string role; ///< "before", "after"; empty: the only run

    const Trace& trace() const { return study.trace(); }
};

/// The same devices of two runs, peak against peak.
struct DeviceComparison
{
    RunComparison runs;
    DiffFindings bySite;
    RunDiff byCategory;
};

/// The data of all parts of a report, computed once. Refers to the request, which must outlive it.
struct ReportMaterial
{
    const ReportRequest& request;
    RunMaterial run; ///< the only one, or the one after
    std::optional<RunMaterial> before;
    std::optional<DeviceComparison> devices; ///< for two runs with allocations
    std::optional<LogDiff> logs; ///< for two runs that are logs
    std::vector<SettingChange> settings; ///< settings that differ, lists folded

    bool hasTwoRuns() const { return before.has_value(); }
    bool isPullRequest() const { return request.options.kind == ReportTemplate::PullRequest; }
    /// The most rows a table may have: ten in a pull request.
    std::size_t mostRows() const;
    /// The run before first.
    std::vector<const RunMaterial*> runs() const;
};

/// Fails with BadRequest where the two runs cannot be compared: they count different bytes, or only one is a
/// log. O(events) for each run.
Result<ReportMaterial> reportMaterial(const ReportRequest& request);

/// The run's file name; equal names of two runs are distinguished by their roles: "before", "after".
std::string runWords(const RunMaterial& run);

} // namespace highwater

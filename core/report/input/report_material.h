#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/report/input/report_comparison.h"

namespace highwater {

/// One run of a report under the name that it has there.
struct RunMaterial
{
    const RunStudy& study;
    const std::vector<ReportSource>& sources;
    std::string role; ///< "before", "after"; empty: the only run
    const RunRanks* ranks = nullptr; ///< null: there is one rank
    RunMain main = {}; ///< the first of the sources

    const Trace& trace() const { return study.trace(); }
};

/// The data of all parts of a report, computed once. Refers to the request, which must outlive it.
struct ReportMaterial
{
    const ReportRequest& request;
    RunMaterial run; ///< the only one, or the one after
    std::optional<RunMaterial> before;
    std::shared_ptr<const ReportComparison> comparison; ///< null: there is one run

    bool hasTwoRuns() const { return before.has_value(); }
    /// Null unless there are two runs with allocations.
    const DeviceComparison* devices() const { return ofBoth(&ReportComparison::devices); }
    /// Null unless there are two runs that are logs.
    const LogDiff* logs() const { return ofBoth(&ReportComparison::logs); }
    bool isPullRequest() const { return request.options.kind == ReportTemplate::PullRequest; }
    /// The few pages that people forward: without what only those need who check it.
    bool isBrief() const { return !request.options.isFull && !isPullRequest(); }
    /// Whether the summary has the timeline, so that it is not drawn twice.
    bool summaryHasTimeline() const;
    /// The most rows a table may have: ten in a pull request, eight where the report is brief.
    std::size_t mostRows() const;
    /// The run before first.
    std::vector<const RunMaterial*> runs() const;

private:
    template <typename T>
    const T* ofBoth(std::optional<T> ReportComparison::*part) const
    {
        return comparison && (*comparison).*part ? &*((*comparison).*part) : nullptr;
    }
};

/// Fails with BadRequest where the two runs cannot be compared: they count different bytes, or only one is a
/// log. O(events) for each run.
Result<ReportMaterial> reportMaterial(const ReportRequest& request);

/// The run's file name; equal names of two runs are distinguished by their roles: "before", "after".
std::string runWords(const RunMaterial& run);

} // namespace highwater

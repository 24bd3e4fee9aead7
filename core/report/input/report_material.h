#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/report/input/report_comparison.h"

namespace highwater {

/// One run of a report, with its role there.
struct RunMaterial
{
    const RunStudy& study;
    const std::vector<ReportSource>& sources; ///< The main file first
    std::string role; ///< "before", "after"; empty for a single run
    const RunRanks* ranks = nullptr; ///< Null if there is only one rank
    RunMain main = {}; ///< The main file and how it was chosen

    const Trace& trace() const { return study.trace(); }
};

/// The data of all parts of a report, computed once. Refers to the request, which must outlive it.
struct ReportMaterial
{
    const ReportRequest& request;
    RunMaterial run; ///< The only run, or the run after
    std::optional<RunMaterial> before;
    std::shared_ptr<const ReportComparison> comparison; ///< Null if there is only one run
    std::optional<DeviceComparison> moments = {}; ///< The difference between `ReportRequest::moments`

    bool hasTwoRuns() const { return before.has_value(); }
    /// True if there is something to compare: two runs, or two moments of one.
    bool isComparing() const { return before || moments; }
    /// Returns null unless there are two runs with allocations.
    const DeviceComparison* devices() const { return ofBoth(&ReportComparison::devices); }
    /// Returns null unless there are two runs that are logs.
    const LogDiff* logs() const { return ofBoth(&ReportComparison::logs); }
    bool isPullRequest() const { return request.options.kind == ReportTemplate::PullRequest; }
    /// True for the short report that people forward: without details needed only to verify it.
    bool isBrief() const { return !request.options.isFull && !isPullRequest(); }
    /// True if the user chose the part, or chose none and it is usual for the kind of report. Its section may
    /// still have no content.
    bool hasPart(ReportPart part) const;
    /// Returns the row limit of tables: at least one, at most ten in a pull request and eight in a brief
    /// report.
    std::size_t maxRows() const;
    /// Returns the headline of the comparison, or of the only run.
    std::string headline() const;
    /// Returns the runs, the run before first.
    std::vector<const RunMaterial*> runs() const;

private:
    template <typename T>
    const T* ofBoth(std::optional<T> ReportComparison::*part) const
    {
        return comparison && (*comparison).*part ? &*((*comparison).*part) : nullptr;
    }
};

/// Collects the data. Compares two runs with `compareReportRuns` unless the request has a comparison. Fails
/// with BadRequest if they cannot be compared: they count different bytes, or only one is a log.
Result<ReportMaterial> reportMaterial(const ReportRequest& request);

/// Returns what captions call the sides of a comparison: "before" and "after", or the names of two moments.
SideNames sideNamesOf(const ReportMaterial& material);

} // namespace highwater

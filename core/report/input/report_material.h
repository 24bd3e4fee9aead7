#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget_study.h"
#include "core/analysis/diff/diff_findings.h"
#include "core/analysis/diff/log_diff.h"
#include "core/analysis/diff/matching/step_alignment.h"
#include "core/analysis/ranks/rank_table.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// A log of a run: its main file, or an auxiliary one.
struct ReportLog
{
    std::string name;
    std::shared_ptr<const Trace> trace; ///< never null
};

/// One run of a report with the results of its analyses.
struct RunMaterial
{
    const ReportRun* run = nullptr; ///< never null
    std::string role; ///< "before", "after"; empty: the only run
    std::optional<DeviceFigures> figures; ///< in the study's quantity; none: the run is a log
    std::optional<DeviceCapacity> capacity; ///< as chosen, else as the file tells
    std::vector<ReportLog> logs; ///< the main file first, where it is one
    std::vector<Finding> findings; ///< by grade, then by bytes; includes rank outliers
    std::optional<RankTable> ranks; ///< if the run has more than one file
    std::optional<BudgetStudy> budget; ///< if the configuration describes the run's shape
    std::string budgetTrouble; ///< why there is no budget although it does, a sentence

    const DeviceStudy* study() const { return run->study; }
    const Trace& trace() const { return *run->trace; }
    /// The first finding of the rule; null: there is none.
    const Finding* finding(std::string_view rule) const;
};

/// The same devices of two runs, peak against peak.
struct DeviceComparison
{
    AlignedSteps steps;
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

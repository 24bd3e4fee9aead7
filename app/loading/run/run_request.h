#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/steps/steps.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// The files of one run, and choices about them, as the user names them.
struct RunRequest
{
    std::vector<std::string> paths; ///< files, and folders with all that is in them
    std::string shown; ///< path of the main file; if empty, `chooseMain` decides
    /// Only files of this rank can be the main one; nullopt allows any rank.
    std::optional<std::int64_t> rank;
    std::optional<std::string> device; ///< "0", "cuda:0"; nullopt selects the one with the largest peak
    std::string configuration; ///< path of a configuration file; may be empty
    /// True if the other run has the same configuration. Then settings that this run's main file records
    /// override it, and problems with it are reported only for the other run.
    bool isConfigurationShared = false;
    /// Capacity that the user chose; nullopt selects that of the configuration's GPU.
    std::optional<DeviceCapacity> capacity;
    std::vector<ReportSource> unusable; ///< files of the run that must not be read, with the reason
};

/// Options for reading runs, the same for both runs of a comparison.
struct RunReadOptions
{
    LoadOptions load;
    std::vector<CategoryRule> rules;
    StepRequest steps;
    bool hashes = false; ///< computes the SHA-256 of every file
    bool findings = true; ///< computes the findings of each run now; if false, their first reader waits
    bool findingsOfRanks = false; ///< keeps the findings of each rank
};

/// The findings in one rank of a run.
struct RankFindings
{
    RunMember member;
    std::vector<Finding> findings; ///< in the order of `RunStudy::findings`
};

/// One run as it was read.
struct Run : ReportRun
{
    std::vector<RankFindings> rankFindings; ///< of its ranks that are recordings; empty unless requested
    std::vector<std::string> warnings; ///< sentences, such as why the configuration gives no budget
    bool hasUnreadable = false; ///< a file of the run could not be read
    bool hasIncomplete = false; ///< a file of the run ends early
};

/// One or two runs.
struct Runs
{
    Run run; ///< the only run, or the later one
    std::optional<Run> before; ///< nullopt if there is only one run

    /// Returns the runs, the earlier one first.
    std::vector<const Run*> all() const { return before ? std::vector{&*before, &run} : std::vector{&run}; }
};

/// The reason that a run cannot be shown, and the file that caused it.
struct RunError : Error
{
    std::string path; ///< empty if no single file is the cause
    std::vector<ReportSource> unreadable = {}; ///< all files, if none can be read
};

} // namespace highwater

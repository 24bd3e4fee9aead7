#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/steps/steps.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// One run as the user names it.
struct RunRequest
{
    std::vector<std::string> paths; ///< files, and folders with all that is in them
    std::string shown; ///< path of the main file; empty: `chooseMain` decides
    std::optional<std::int64_t> rank; ///< only its files can be the main one; none: any rank
    std::optional<std::string> device; ///< "0", "cuda:0"; none: the one with the largest peak
    std::string configuration; ///< path of a configuration file; empty: none
    /// It is the other run's as well: settings that this run's main file records go before it, and it gives
    /// no warnings of its own.
    bool isConfigurationShared = false;
    std::optional<DeviceCapacity> capacity; ///< chosen by the user; none: that of the configuration's GPU
    std::vector<ReportSource> unusable; ///< files of the run that are not to be read, with the reason
};

struct RunReadOptions
{
    LoadOptions load;
    std::vector<CategoryRule> rules;
    StepRequest steps;
    bool hashes = false; ///< computes the SHA-256 of every file
    bool findings = true; ///< looks for those of each run; false: whoever asks first waits for them
    bool findingsOfRanks = false; ///< keeps what the detectors find in each rank
};

/// What was found in one rank of a run.
struct RankFindings
{
    RunMember member;
    std::vector<Finding> findings; ///< in the order of `RunStudy::findings`
};

/// One run as it was read.
struct Run : ReportRun
{
    std::vector<RankFindings> rankFindings; ///< of all its ranks, in their order; empty unless asked for
    std::vector<std::string> warnings; ///< sentences: why the configuration gives no budget
    bool hasUnreadable = false; ///< a file of the run could not be read
    bool hasIncomplete = false; ///< a file of the run ends early
};

/// One run, or two; with two, each is read in its own thread, and hashes are computed while reading.
struct Runs
{
    Run run; ///< the only one, or the one after
    std::optional<Run> before; ///< none: there is one run

    /// The run before first.
    std::vector<const Run*> all() const { return before ? std::vector{&*before, &run} : std::vector{&run}; }
};

/// Why a run cannot be shown, and which of its files is the reason.
struct RunError : Error
{
    std::string path; ///< empty: none of them
    std::vector<ReportSource> unreadable = {}; ///< if none can be read: all of them
};

} // namespace highwater

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/rehearse/rehearsal.h"
#include "app/rehearse/same_allocations.h"
#include "app/rehearse/verdict.h"
#include "core/run/gpu_models.h"

namespace highwater::cli {

/// A process and the verdict on its snapshot.
struct ProcessVerdict
{
    rehearse::RehearsedProcess process;
    std::vector<rehearse::DeviceVerdict> devices; ///< those on which it allocated
};

/// If the first two runs differ, a third one gets the values of the first. This is which run it is like.
enum class Control
{
    None, ///< there is no third run, or it failed
    LikeFirst, ///< values make the difference
    LikeSecond, ///< something else does, such as files that the first run wrote
    LikeNeither, ///< no two runs are alike, because of threads or random numbers
};

/// A second run of the command, in which values without a rule read as another number.
struct SecondRun
{
    int value = 0; ///< the number read instead of 0
    int exitCode = 0; ///< exit code of the command; that of the first run may be another
    bool ranOut = false; ///< out of memory
    Bytes reservedPeakBytes = 0; ///< the maximum that a device of a process reserved
    bool isOverLimit = false; ///< took far longer, and was stopped
    /// The first difference in allocations; nullopt after a good end means that no value matters.
    std::optional<rehearse::AllocationDifference> difference = {};
    Control control = Control::None;
    std::string lastError = {}; ///< last line on its standard error
    bool hasEnded() const { return exitCode == 0 && !isOverLimit; }
    bool isEqual() const { return hasEnded() && (!difference || control == Control::LikeSecond); }
};

struct RehearsalOutcome
{
    GpuModel gpu;
    rehearse::AvailableMemory available;
    rehearse::RehearsalResult result;
    std::vector<ProcessVerdict> processes = {};
    rehearse::Fit fit = rehearse::Fit::Fits;
    std::optional<SecondRun> second = {};
    std::vector<std::string> gaps = {}; ///< parts that the verdict does not cover (`gapsOf`)
    std::string growth = {}; ///< a sentence that memory rises from step to step; empty if it does not

    bool hasRecorded() const;
    bool knowsVerdict() const { return hasRecorded() || fit == rehearse::Fit::Failed; }
    /// True if values were read back for which there is no rule.
    bool hasUnknownReads() const;
    /// True if values that were read back may have decided a size, since nothing shows that they did not.
    bool mayBeSizedByReads() const { return hasUnknownReads() && !(second && second->isEqual()); }
    bool isIncomplete() const { return mayBeSizedByReads() || !gaps.empty(); }
    /// True if a second run can show whether the values matter: the first one ended well, or failed as
    /// reading 0 may make it fail.
    bool isWorthRepeating() const;
    /// True if the command failed when values read back were 0, but not with other values.
    bool isRescued() const { return fit == rehearse::Fit::Failed && second && second->hasEnded(); }
    std::vector<std::string> snapshots() const;
    int exitCode() const;
};

/// Reads the snapshots of the result and judges them.
RehearsalOutcome judgeRehearsal(
    const GpuModel& gpu, rehearse::RehearsalResult result, const CommonOptions& options);

/// Returns the title of the finding in the first snapshot that memory rises from step to step; empty if there
/// is none.
std::string growthOf(const RehearsalOutcome& outcome, const CommonOptions& options);

/// Returns null if nothing could be read.
std::shared_ptr<const Trace> readSnapshot(const std::string& path, const CommonOptions& options);

} // namespace highwater::cli

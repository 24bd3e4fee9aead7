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

/// A process and what was judged of its snapshot.
struct ProcessVerdict
{
    rehearse::RehearsedProcess process;
    std::vector<rehearse::DeviceVerdict> devices; ///< those on which it allocated
};

/// Of three runs that are not alike, the third with the values of the first: who it is like.
enum class Control
{
    None, ///< there is no third one, or it failed
    LikeFirst, ///< values make the difference
    LikeSecond, ///< something else does: files that the first run wrote
    LikeNeither, ///< no two runs are alike: threads, random numbers
};

/// What a second run of the command shows, in which values that no rule knows read as another number.
struct SecondRun
{
    int value = 0; ///< what was read instead of 0
    int exitCode = 0; ///< of the command; 0 in the first run
    bool ranOut = false; ///< of memory
    Bytes reservedPeakBytes = 0; ///< the most that a device of a process reserved
    bool isOverLimit = false; ///< it took far longer, and was stopped
    std::optional<rehearse::AllocationDifference> difference = {}; ///< none, and all well: no value matters
    Control control = Control::None;
    std::string lastError = {}; ///< the last line that it wrote on standard error
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
    std::vector<std::string> gaps = {}; ///< what the verdict does not see (`gapsOf`)
    std::string growth = {}; ///< that memory rises from step to step, a sentence; empty: it does not

    bool hasRecorded() const;
    bool knowsVerdict() const { return hasRecorded() || fit == rehearse::Fit::Failed; }
    /// Values were read back that no rule knows.
    bool hasUnknownReads() const;
    /// Values that were read back may have decided a size: nothing shows that they did not.
    bool mayBeSizedByReads() const { return hasUnknownReads() && !(second && second->isEqual()); }
    bool isIncomplete() const { return mayBeSizedByReads() || !gaps.empty(); }
    /// A second run can tell whether the values matter: the first one ended well, or failed as 0 may make it.
    bool isWorthRepeating() const;
    /// The command failed with 0 for values that are read back, and with other ones it did not.
    bool isRescued() const { return fit == rehearse::Fit::Failed && second && second->hasEnded(); }
    std::vector<std::string> snapshots() const;
    int exitCode() const;
};

/// Reads the snapshots of the result and judges them.
RehearsalOutcome judgeRehearsal(
    const GpuModel& gpu, rehearse::RehearsalResult result, const CommonOptions& options);

/// Of the first snapshot, the finding that memory rises from step to step; empty: there is none.
std::string growthOf(const RehearsalOutcome& outcome, const CommonOptions& options);

/// Null: there is nothing that could be read.
std::shared_ptr<const Trace> readSnapshot(const std::string& path, const CommonOptions& options);

} // namespace highwater::cli

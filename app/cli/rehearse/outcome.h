#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/rehearse/rehearsal.h"
#include "app/rehearse/same_allocations.h"
#include "app/rehearse/torch_build.h"
#include "app/rehearse/verdict.h"
#include "core/run/gpu_models.h"

namespace highwater::cli {

/// A process and the verdict on its snapshot.
struct ProcessVerdict
{
    rehearse::RehearsedProcess process;
    std::vector<rehearse::DeviceVerdict> devices; ///< verdicts on the devices on which the process allocated
};

/// The result of a third run, which is made if the first two succeed and differ. It reads the same values as
/// the first run.
enum class Control
{
    None, ///< there is no third run, or it failed
    LikeFirst, ///< the values that are read back make the difference
    LikeSecond, ///< something else makes it, such as files that the first run wrote
    LikeNeither, ///< no two runs are alike, because of threads or random numbers
};

/// A second run of the command, in which values that are read back and have no rule are not 0.
struct SecondRun
{
    int value = 0; ///< as `RehearsalRequest::fill`
    int exitCode = 0; ///< the command's exit code in this run
    bool ranOut = false; ///< the command ran out of memory
    Bytes reservedPeakBytes = 0; ///< the maximum that a device of a process reserved
    bool isOverLimit = false; ///< the run took far longer than the first one and was stopped
    /// The first difference in allocations from the first run. If nullopt and `hasEnded`, no value matters.
    std::optional<rehearse::AllocationDifference> difference = {};
    Control control = Control::None;
    std::string lastError = {}; ///< last line on the command's standard error
    bool hasEnded() const { return exitCode == 0 && !isOverLimit; }
    /// True if the values that are read back make no difference.
    bool isEqual() const { return hasEnded() && (!difference || control == Control::LikeSecond); }
};

/// Memory that grows from step to step, by a finding about the recording.
struct MemoryGrowth
{
    std::string title; ///< of the finding
    std::string action; ///< what to do: a sentence without a full stop
    bool isFault = false; ///< it is a leak, or so large that more steps may not fit
    std::optional<std::int64_t> stepsLeft
        = {}; ///< until memory runs out, if each step keeps as much as before
};

/// The result of a rehearsal and the verdict on it. `fit` is the worst verdict on any device or process.
struct RehearsalOutcome
{
    GpuModel gpu;
    rehearse::AvailableMemory available;
    rehearse::RehearsalResult result;
    std::vector<ProcessVerdict> processes = {};
    rehearse::Fit fit = rehearse::Fit::Fits;
    std::optional<SecondRun> second = {};
    std::vector<std::string> gaps = {}; ///< parts that the verdict does not cover (`findGaps`)
    /// Growth of memory; nullopt if there is none, and if `fit` is neither Fits nor DoesNotFit.
    std::optional<MemoryGrowth> growth = {};

    std::optional<rehearse::TorchVersion> target = {}; ///< the PyTorch of the target (`--torch`), if given

    /// True if the target's PyTorch is of another series than the one that was rehearsed with.
    bool hasOtherTorch() const;
    /// True if a snapshot has allocations.
    bool hasRecorded() const;
    bool hasVerdict() const { return hasRecorded() || fit == rehearse::Fit::Failed; }
    /// True if the command read back values for which there is no rule.
    bool hasUnknownReads() const;
    /// True if values that were read back may have decided a size, since nothing shows that they did not.
    bool mayBeSizedByReads() const { return hasUnknownReads() && !(second && second->isEqual()); }
    /// True if it fits as far as it ran, but memory grows and the command was ended early.
    bool fitsForNow() const;
    /// True if the verdict may be wrong, since values decided sizes or parts of the work are not covered.
    bool isIncomplete() const { return mayBeSizedByReads() || !gaps.empty(); }
    /// True if a second run can show whether the values matter: the first run succeeded, or it failed and
    /// the value 0 may be the reason.
    bool isWorthRepeating() const;
    /// True if the command failed when values read back were 0, but not with other values.
    bool succeedsWithOtherValues() const
    {
        return fit == rehearse::Fit::Failed && second && second->hasEnded();
    }
    /// Returns the paths of the snapshots with allocations.
    std::vector<std::string> snapshots() const;
    /// Returns the exit code of `rehearse` for this outcome.
    int exitCode() const;
};

/// Reads the snapshots of the result and judges them, without a second run, gaps and growth.
RehearsalOutcome judgeRehearsal(
    const GpuModel& gpu, rehearse::RehearsalResult result, const CommonOptions& options);

/// Finds the growth of memory from step to step in the first snapshot; nullopt if none is found.
std::optional<MemoryGrowth> findMemoryGrowth(const RehearsalOutcome& outcome, const CommonOptions& options);

/// Returns the snapshot's trace, and prints what is wrong with the file; null if it cannot be read.
std::shared_ptr<const Trace> readSnapshot(const std::string& path, const CommonOptions& options);

} // namespace highwater::cli

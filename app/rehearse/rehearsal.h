#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/rehearse/address_order.h"
#include "app/rehearse/child_process.h"
#include "app/rehearse/journal.h"
#include "core/base/result.h"
#include "core/run/gpu_models.h"

namespace highwater::rehearse {

/// Who says when the history of allocations is recorded.
enum class History
{
    Whole, ///< from before the first allocation to the end; what the script asks for is ignored
    Script, ///< the script alone
};

struct RehearsalRequest
{
    std::vector<std::string> command; ///< "python", "train.py", …
    std::string python; ///< the interpreter that it runs, where a rehearsal has found it; empty: find it
    GpuModel gpu;
    Bytes memoryBytes = 0; ///< that the simulated device says it has
    Bytes outsideBytes = 0; ///< of these, what context and kernels take
    int gpus = 1;
    std::string snapshotPath; ///< rank 0's; those of others get "_rank1" before the ending
    std::string tracePath; ///< of torch.profiler; empty: none
    std::string labelsPath; ///< empty: none
    std::string rulesPath; ///< the user's rules for values read back; empty: the usual ones
    bool cppStacks = false;
    History history = History::Whole;
    AddressOrder addresses; ///< where the driver places memory
    std::int64_t kernelNanoseconds = 0; ///< device time of a launch; 0: all work is done at once
    ChildOutput output = ChildOutput::Kept; ///< what the command prints
    std::string errorsPath; ///< where what is discarded of standard error goes; empty: nowhere
    int maxSteps = 0; ///< of the optimizers, after which the command is ended; 0: it ends by itself
    bool tellsSteps = false; ///< on standard error
    int fill = 0; ///< what values give that are read back and that no rule knows: 0, or another number
    std::optional<std::chrono::seconds>
        limit; ///< after which the command is stopped; none: it ends by itself
    bool force = false; ///< although there is a GPU; replaces files that were there before
};

struct RehearsalResult
{
    int exitCode = 0; ///< of the command
    bool isInterrupted = false; ///< somebody stopped it: Ctrl+C, or a signal
    bool isOverLimit = false; ///< it was stopped because it took longer than it may
    bool leavesProcesses = false; ///< the command has ended, and processes that it started run still
    std::string torchVersion;
    std::string python; ///< the interpreter
    std::vector<RehearsedProcess> processes; ///< by rank
    std::vector<std::string> unknownCalls; ///< functions that the stand-ins do not have, which failed
    std::vector<std::string> gaps; ///< what happened outside of what is recorded: sentences as well
    std::vector<std::string> remarks; ///< on what the command asked for in vain, for one that failed
    std::vector<std::string> inexact; ///< which sizes are not a real GPU's: sentences without a full stop
};

/// Runs the command on simulated GPUs and records what PyTorch's allocator does. Everything it needs is
/// written to a temporary folder and removed at the end. Fails with BadRequest and a sentence where it cannot
/// run.
Result<RehearsalResult> rehearse(const RehearsalRequest& request);

} // namespace highwater::rehearse

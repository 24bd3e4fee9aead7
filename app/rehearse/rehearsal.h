#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/rehearse/address_order.h"
#include "app/rehearse/child_process.h"
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
    int maxSteps = 0; ///< of the optimizers, after which the command is ended; 0: it ends by itself
    bool tellsSteps = false; ///< on standard error
    int fill = 0; ///< what values give that are read back and that no rule knows: 0 or 1
    bool force = false; ///< although there is a GPU; replaces files that were there before
};

/// A place in the script that read a value back from the device.
struct HostRead
{
    std::string file;
    int line = 0;
    std::string what; ///< "tolist", "nonzero"
    std::int64_t count = 0;
};

/// The exception that ended a Python program, as far as it is known.
enum class LastException
{
    None, ///< nothing, or something that Python did not see
    OutOfMemory, ///< also where another exception came of it
    Other,
};

/// One process that used the simulated GPU.
struct RehearsedProcess
{
    std::string snapshotPath;
    std::optional<int> rank; ///< none: it says none, and was started by another one
    std::string name; ///< "SpawnProcess-1"; of Python's multiprocessing
    bool outOfMemory = false; ///< at least once
    LastException exception = LastException::None;
    std::optional<int> endedAfterSteps; ///< none: the process ended by itself
    std::vector<HostRead> unsteered; ///< reads that may have decided a size
};

struct RehearsalResult
{
    int exitCode = 0; ///< of the command
    bool isInterrupted = false; ///< somebody stopped it: Ctrl+C, or a signal
    std::string torchVersion;
    std::string python; ///< the interpreter
    std::vector<RehearsedProcess> processes; ///< by rank
    std::vector<std::string> unknownCalls; ///< functions that the stand-ins do not have, which failed
    std::vector<std::string> missingDevices; ///< "cuda:1 of 1": what the command asked for in vain
    std::vector<std::string> inexact; ///< which sizes are not a real GPU's: sentences without a full stop
};

/// Runs the command on simulated GPUs and records what PyTorch's allocator does. Everything it needs is
/// written to a temporary folder and removed at the end. Fails with BadRequest and a sentence where it cannot
/// run.
Result<RehearsalResult> rehearse(const RehearsalRequest& request);

} // namespace highwater::rehearse

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/rehearse/address_order.h"
#include "app/rehearse/child_process.h"
#include "app/rehearse/journal.h"
#include "core/base/result.h"
#include "core/run/gpu_models.h"

namespace highwater::rehearse {

/// The part of the run whose history of allocations is recorded.
enum class History
{
    Whole, ///< from before the first allocation to the end, ignoring the script's requests
    Script, ///< the part that the script asks for
};

/// A command to rehearse, the GPU to simulate, and the files to write.
struct RehearsalRequest
{
    std::vector<std::string> command; ///< "python", "train.py", …
    /// The command's interpreter, if an earlier rehearsal has found it; if empty, it is searched for.
    std::string python;
    GpuModel gpu;
    Bytes memoryBytes = 0; ///< memory that the simulated device reports
    Bytes outsideBytes = 0; ///< part of `memoryBytes` that context and kernels take
    int gpusPerProcess = 1;
    /// Path of the snapshot. With several ranks, each writes its own, with "_rank0", "_rank1", … before the
    /// ending; the same holds for `tracePath` and `labelsPath`.
    std::string snapshotPath;
    std::string tracePath; ///< for a trace of torch.profiler; may be empty
    std::string labelsPath; ///< may be empty
    /// The user's rules for values that are read back, which precede the built-in ones; may be empty.
    std::string rulesPath;
    bool cppStacks = false;
    History history = History::Whole;
    AddressOrder addresses; ///< order in which the driver places memory
    std::int64_t kernelNanoseconds = 0; ///< device time of a launch or copy; 0 if each takes no time
    ChildOutput output = ChildOutput::Kept; ///< destination of the command's output
    std::string errorsPath; ///< file for discarded standard error; may be empty
    int maxSteps = 0; ///< optimizer steps after which the command is ended; 0 lets it end by itself
    bool reportsSteps = false; ///< report steps 1, 2, 5, 10 and so on of rank 0 on standard error
    /// Names (of `kChanges`) of the edits to make to the script. The rehearsal then also reports in
    /// `RehearsalResult::changeable` which edits would apply. nullopt runs the script as it is and reports
    /// none.
    std::optional<std::vector<std::string>> changes = {};
    /// Selects what is read back where no rule decides: 0 gives the zeros of the simulated GPU, 1 gives ones,
    /// another number gives values that differ.
    int fill = 0;
    /// Time after which the command is stopped; nullopt lets it end by itself.
    std::optional<std::chrono::seconds> limit;
    bool force = false; ///< run although there is a GPU, and replace existing files
};

/// The end of a rehearsed command, and the facts about its processes, among them the paths of the snapshots.
struct RehearsalResult
{
    int exitCode = 0; ///< exit code of the command
    bool isInterrupted = false; ///< somebody stopped it with Ctrl+C or a signal
    bool isOverLimit = false; ///< it was stopped because it exceeded its time limit
    bool hasLeftProcesses = false; ///< the command has ended, but processes that it started are still running
    std::string torchVersion;
    std::string python; ///< the interpreter
    std::vector<RehearsedProcess> processes; ///< by rank
    /// Names of functions that were called and failed, since the stand-ins do not have them.
    std::vector<std::string> unknownCalls = {};
    /// Events that the recording does not cover: sentences without a full stop.
    std::vector<std::string> gaps = {};
    /// Possible reasons if the command failed or recorded nothing: sentences without a full stop.
    std::vector<std::string> remarks = {};
    /// Bytes of the tensors of cuDNN's largest convolution; 0 without convolutions.
    Bytes convolutionBytes = 0;
    /// Sizes that differ from a real GPU's: sentences without a full stop.
    std::vector<std::string> inexact = {};
    /// Names of the edits that apply to the script, made or not; empty without `changes`.
    std::vector<std::string> changeable = {};
    /// How the author makes a change that depends on the script, by the name of the change: a sentence
    /// without a full stop.
    std::map<std::string, std::string> advice = {};
};

/// Runs the command on simulated GPUs and records what PyTorch's allocator does. The files that the
/// simulation needs are written to a temporary folder, which is removed at the end. Fails with BadRequest
/// and a sentence if the command cannot be rehearsed, and with the error of a file of the simulation that
/// cannot be written or read. Must run in the main thread (`runChild`).
Result<RehearsalResult> rehearse(const RehearsalRequest& request);

} // namespace highwater::rehearse

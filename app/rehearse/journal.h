#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace highwater::rehearse {

/// A place in the script where values were read back from the device.
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
    None, ///< no exception, or an end that Python did not notice
    OutOfMemory, ///< also if another exception resulted from it
    Other,
};

/// The use of optimizers in a process.
struct OptimizerSteps
{
    std::int64_t optimizers = 0; ///< number of optimizers
    std::int64_t steps = 0;
    /// Steps after the last out-of-memory error; nullopt if there was no such error.
    std::optional<std::int64_t> afterOutOfMemory;
    bool areParametersOnHost = false; ///< all trained parameters are in host memory
    /// Memory ran out again after a step. The script may have skipped some work each time.
    bool hasStepsBetweenErrors = false;
};

/// One Python process of the command that imported PyTorch.
struct RehearsedProcess
{
    std::int64_t pid = 0;
    std::string snapshotPath; ///< empty if it allocated nothing, or was killed before it wrote one
    std::optional<int> rank; ///< nullopt if it has none and was started by another process
    std::string name; ///< "SpawnProcess-1"; from Python's multiprocessing
    bool outOfMemory = false; ///< memory ran out at least once
    LastException exception = LastException::None;
    bool hasEnded = true; ///< false if it was killed or is still running
    bool isRunning = false; ///< it is still running after the command has ended
    bool isStopped = false; ///< it was stopped by SIGTERM
    std::string threadError; ///< "KeyError: 'x'", which ended one of its threads
    std::string architectures; ///< architectures of PyTorch's kernels: "sm_80 sm_90"; empty if not known
    std::string visibleDevices; ///< CUDA_VISIBLE_DEVICES, which determines its first GPU
    /// Its use of the GPU, in seconds on a shared clock; `begin` is 0 if it did not use the GPU.
    double begin = 0, end = 0;
    OptimizerSteps training = {};
    /// Optimizer steps after which the command was ended (`--max-steps`); nullopt if it was not.
    std::optional<std::int64_t> endedAfterSteps;
    std::vector<HostRead> unsteered; ///< reads that may have decided a size
    /// The user's functions to which a trainer passes values that it reads.
    std::vector<std::string> listeners;
};

/// Reads the lines of JSON that the processes of a rehearsal wrote about themselves (`_tell` in
/// highwater_rehearsal.py). The last line of each process counts. The processes are sorted by rank, then by
/// name; processes without a rank come last. Unreadable lines are skipped, since a process may have been
/// killed while it wrote one.
std::vector<RehearsedProcess> readJournal(const std::filesystem::path& path);

} // namespace highwater::rehearse

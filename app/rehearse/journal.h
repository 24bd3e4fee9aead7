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

/// Counts for the optimizers of a process.
struct OptimizerSteps
{
    std::int64_t optimizers = 0; ///< number of optimizers
    std::int64_t steps = 0;
    /// Steps after the last such error; nullopt if there was none.
    std::optional<std::int64_t> afterOutOfMemory;
    bool areOnHost = false; ///< all trained parameters are in host memory
    /// Memory ran out again after a step: something may have been left out each time.
    bool betweenErrors = false;
};

/// One process that used the simulated GPU.
struct RehearsedProcess
{
    std::int64_t pid = 0;
    std::string snapshotPath; ///< empty if it allocated nothing, or was killed before it wrote one
    std::optional<int> rank; ///< nullopt if it names none and was started by another process
    std::string name; ///< "SpawnProcess-1"; from Python's multiprocessing
    bool outOfMemory = false; ///< at least once
    LastException exception = LastException::None;
    bool hasEnded = true; ///< false if it was killed or is still running
    bool isRunning = false; ///< although the command has ended
    bool isStopped = false; ///< by SIGTERM
    std::string threadError; ///< "KeyError: 'x'", which ended one of its threads
    std::string visibleDevices; ///< CUDA_VISIBLE_DEVICES, which determines its first GPU
    double begin = 0, end = 0; ///< of its use of the GPU, in seconds; processes may overlap
    OptimizerSteps training = {};
    /// Steps after which the command was ended; nullopt if it ended by itself.
    std::optional<std::int64_t> endedAfterSteps;
    std::vector<HostRead> unsteered; ///< reads that may have decided a size
    /// The user's functions to which a trainer passes values that it reads.
    std::vector<std::string> listeners;
};

/// Reads the lines of JSON that the processes of a rehearsal wrote about themselves; the last line of each
/// process counts. Sorted by rank, processes without one last. Unreadable lines are skipped: a process may
/// have been killed while it wrote, and the lines come from the rehearsed program. `_tell` in
/// highwater_rehearsal.py writes them.
std::vector<RehearsedProcess> readJournal(const std::filesystem::path& path);

} // namespace highwater::rehearse

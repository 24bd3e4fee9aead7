#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace highwater::rehearse {

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

/// What the optimizers of a process did.
struct OptimizerSteps
{
    std::int64_t optimizers = 0; ///< that there were
    std::int64_t steps = 0;
    std::optional<std::int64_t> afterOutOfMemory; ///< after the last such error; none: there was none
    bool areOnHost = false; ///< what they train is in host memory, all of it
    bool betweenErrors = false; ///< memory ran out again after a step: each time something may be left out
};

/// One process that used the simulated GPU.
struct RehearsedProcess
{
    std::int64_t pid = 0;
    std::string snapshotPath; ///< empty: it allocated nothing, or was killed before it wrote one
    std::optional<int> rank; ///< none: it says none, and was started by another one
    std::string name; ///< "SpawnProcess-1"; of Python's multiprocessing
    bool outOfMemory = false; ///< at least once
    LastException exception = LastException::None;
    bool hasEnded = true; ///< false: it was killed, or runs still
    bool isRunning = false; ///< although the command has ended
    bool isStopped = false; ///< by SIGTERM
    std::string threadError; ///< "KeyError: 'x'", which ended one of its threads
    std::string visibleDevices; ///< CUDA_VISIBLE_DEVICES, which says which GPU its first one is
    double begin = 0, end = 0; ///< seconds, of its use of the GPU; processes can be at once
    OptimizerSteps training = {};
    std::optional<std::int64_t> endedAfterSteps; ///< none: the process ended by itself
    std::vector<HostRead> unsteered; ///< reads that may have decided a size
    std::vector<std::string> listeners; ///< functions of the user's that a trainer hands what it reads
};

/// What the processes of a rehearsal wrote about themselves, one line of JSON each time; the last of a
/// process counts. By rank, those without one last. What cannot be read is skipped: a process may have been
/// killed while it wrote, and the lines are the rehearsed program's. Form: `_tell` in highwater_rehearsal.py.
std::vector<RehearsedProcess> readJournal(const std::filesystem::path& path);

} // namespace highwater::rehearse

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/string_pool.h"
#include "core/base/units.h"

namespace highwater {

/// A figure as printed in a message, rounded: the true value is at most `rounding` away.
struct WrittenBytes
{
    Bytes bytes = 0;
    Bytes rounding = 0; ///< half a unit of the last printed digit
    bool operator==(const WrittenBytes&) const = default;
};

/// Another process on the same device, as a message of PyTorch lists it.
struct ProcessUse
{
    std::int64_t process = 0; ///< its id
    WrittenBytes used;
    bool operator==(const ProcessUse&) const = default;
};

/// The figures of an out-of-memory message, clause by clause, exactly as printed.
struct OomFigures
{
    std::string wording; ///< id of the pattern that matched its head: "torch", "jax"
    std::string backend; ///< "CUDA", "HIP", …, as written; empty: not stated
    std::string deviceKind; ///< "GPU", "NPU", "TPU", … as written; empty: not stated
    std::optional<std::int64_t> device; ///< index among the visible devices, not the physical one
    std::optional<WrittenBytes> requested;
    std::optional<WrittenBytes> capacity;
    std::optional<WrittenBytes> free; ///< the driver's view
    std::optional<WrittenBytes> allowed; ///< limit by the per-process fraction or the allocator
    std::optional<WrittenBytes> processUsed; ///< by this process, memory outside of PyTorch included
    std::optional<WrittenBytes> allocated; ///< by PyTorch, private pools included
    std::optional<WrittenBytes> privatePools;
    std::optional<WrittenBytes> reservedUnallocated; ///< "cached" in PyTorch 1.0 to 1.3
    std::optional<WrittenBytes> reserved; ///< only if it is printed
    std::optional<WrittenBytes> outside; ///< held by others on the device, as Metal lists them in sum
    std::optional<WrittenBytes> largestFree; ///< the largest free piece
    std::optional<WrittenBytes> largestAllowed; ///< for one allocation
    std::optional<WrittenBytes> needed; ///< by the whole program, as XLA adds it up
    bool requestIsCorrupt = false; ///< the message says that the size is none of this world
    std::vector<ProcessUse> otherProcesses;
};

/// A line of a traceback.
struct LogFrame
{
    StringId function; ///< none: not written
    StringId file;
    StringId source; ///< the line of source below it; none: not written
    std::int64_t line = 0;
    bool operator==(const LogFrame&) const = default;
};

/// A meaningful line of a log: an out-of-memory message or a warning.
struct LogEvent
{
    static constexpr std::int64_t kNoStep = -1;
    static constexpr std::int64_t kNoFailure = -1;

    enum class Kind : std::uint8_t
    {
        Oom, ///< an allocator's message that a request failed
        Warning,
        DriverOom, ///< a library or the driver ran out, outside of any caching allocator
        HostOom, ///< a process was killed, or failed, for lack of host memory
        EngineOom, ///< an inference engine had no room within its share of the device
        Unclear, ///< what may be for lack of memory, or not: killed by a signal, a failed assertion
        Other, ///< the program failed for another reason than memory
    };
    Kind kind = Kind::Warning;

    /// The memory that a message is about.
    enum class Subject : std::uint8_t
    {
        Unknown,
        Device,
        Host,
        SharedMemory, ///< /dev/shm, which is host memory with a limit of its own
    };
    Subject subject = Subject::Unknown;
    std::string speaker; ///< who says so, as the table names it: "kernel", "NCCL"; empty: the framework
    std::string subjectId; ///< job, pod or process that the message is about; empty: not told
    std::string text; ///< the message, without prefixes and colours, its lines joined by line ends
    std::uint64_t line = 0; ///< 1-based
    std::int64_t failure = kNoFailure; ///< messages of one failure share a number

    std::optional<std::int64_t> rank;
    std::string process; ///< the writer, if the line names it: "WorkerDict pid=13908"
    Nanoseconds time = 0; ///< as `Trace` tells them; 0: not known
    bool timeInferred = false; ///< taken from the last line before it with a time
    std::int64_t step = kNoStep; ///< the step during which it happened
    bool stepInferred = false; ///< one more than the step of the last record before it
    std::string pattern; ///< id of the pattern that found it
    std::optional<OomFigures> figures; ///< always for Oom; for other failures if any figure is told
    std::vector<LogFrame> frames; ///< of the preceding traceback, innermost last
    /// Whether it tells of a failure for want of memory, or of what may be one.
    bool isMemoryFailure() const { return kind != Kind::Warning && kind != Kind::Other; }
    /// The run ended with it: true only with a sign of the end, false if work follows; none: not known.
    std::optional<bool> fatal;
    bool lowTrust = false; ///< output of several writers is mixed in these lines

    std::size_t memoryBytes() const;
};

/// "oom", "warning", "driver-oom", "host-oom", "engine-oom", "unclear", "other".
std::string_view toText(LogEvent::Kind kind);
/// "unknown", "device", "host", "shared-memory".
std::string_view toText(LogEvent::Subject subject);

/// A setting of the run, from its log or a configuration file.
struct ConfigurationEntry
{
    std::string name; ///< flattened: "optimizer.lr"
    std::string value;
    std::string origin; ///< "command line", "environment", "yaml", "json", "arguments", "overrides"
    std::uint64_t line = 0; ///< 1-based; 0: not known
    bool operator==(const ConfigurationEntry&) const = default;
};

} // namespace highwater

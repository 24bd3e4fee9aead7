#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/string_pool.h"
#include "core/base/units.h"

namespace highwater {

/// A size as printed in a message. It is rounded: the true value differs by at most `rounding`.
struct WrittenBytes
{
    Bytes bytes = 0;
    Bytes rounding = 0; ///< Half a unit of the last printed digit; 0 if bytes are printed
    bool operator==(const WrittenBytes&) const = default;
};

/// Another process on the same device, as listed in PyTorch's message.
struct ProcessUse
{
    std::int64_t process = 0; ///< Process id
    WrittenBytes used;
    bool operator==(const ProcessUse&) const = default;
};

/// The figures of an out-of-memory message, clause by clause, exactly as printed.
struct OomFigures
{
    std::string wording; ///< Id of the pattern that matched the first line: "torch", "jax"
    std::string backend; ///< "CUDA", "HIP", … as written; empty if not stated
    std::string deviceKind; ///< "GPU", "NPU", "TPU", … as written; empty if not stated
    std::optional<std::int64_t> device; ///< Index among the visible devices, not the physical one
    std::optional<WrittenBytes> requested;
    std::optional<WrittenBytes> capacity;
    std::optional<WrittenBytes> free; ///< According to the driver
    std::optional<WrittenBytes> allowed; ///< Limit set by the per-process fraction or the allocator
    std::optional<WrittenBytes> processUsed; ///< By this process, including memory outside PyTorch
    std::optional<WrittenBytes> allocated; ///< By PyTorch, including private pools
    std::optional<WrittenBytes> privatePools;
    std::optional<WrittenBytes> reservedUnallocated; ///< "cached" in PyTorch 1.0 to 1.3
    std::optional<WrittenBytes> reserved; ///< Only if printed
    std::optional<WrittenBytes> outside; ///< Held by others on the device, as Metal prints their sum
    std::optional<WrittenBytes> largestFree; ///< The largest free block
    std::optional<WrittenBytes> largestAllowed; ///< Largest size allowed for one allocation
    std::optional<WrittenBytes> needed; ///< Needed by the whole program, as XLA adds it up
    bool requestIsCorrupt = false; ///< The message gives an impossible size
    std::vector<ProcessUse> otherProcesses;
};

/// A frame of a traceback.
struct LogFrame
{
    StringId function; ///< None if not written
    StringId file;
    StringId source; ///< The source line printed below the frame; none if not written
    std::int64_t line = 0;
    bool operator==(const LogFrame&) const = default;
};

/// A meaningful message of a log: about a failure, or a warning.
struct LogEvent
{
    static constexpr std::int64_t kNoStep = -1;
    static constexpr std::int64_t kNoFailure = -1;

    enum class Kind : std::uint8_t
    {
        Oom, ///< An allocator's message that a request failed
        Warning,
        DriverOom, ///< A library or the driver ran out of memory, outside any caching allocator
        HostOom, ///< A process was killed, or failed, for lack of host memory
        EngineOom, ///< An inference engine did not fit into its share of the device
        Unclear, ///< Possibly lack of memory: killed by a signal, a failed assertion
        Other, ///< The program failed for a reason other than memory
    };
    Kind kind = Kind::Warning;

    /// The memory that a message concerns.
    enum class Subject : std::uint8_t
    {
        Unknown,
        Device,
        Host,
        SharedMemory, ///< /dev/shm: host memory with its own limit
    };
    Subject subject = Subject::Unknown;
    std::string speaker; ///< Source, as named in the table: "kernel", "NCCL"; empty for the framework
    std::string subjectId; ///< Job, pod or process that the message concerns; empty if not stated
    std::string text; ///< The message, without prefixes and colours, its lines separated by line feeds
    std::uint64_t line = 0; ///< 1-based
    std::int64_t failure = kNoFailure; ///< Messages of one failure share this number

    std::optional<std::int64_t> rank;
    std::string process; ///< The writer, if the line names it: "WorkerDict pid=13908"
    Nanoseconds time = 0; ///< On the clock of TraceMetadata::clock; 0 where unknown
    bool timeInferred = false; ///< Taken from the last earlier line with a time
    std::int64_t step = kNoStep; ///< The step during which it happened
    bool stepInferred = false; ///< One more than the step of the last earlier record
    std::string pattern; ///< Id of the pattern that matched
    std::optional<OomFigures> figures; ///< Always set for Oom; else if the message has any
    std::vector<LogFrame> frames; ///< Frames of the preceding traceback, innermost last
    /// True if the event is a memory failure, or may be one.
    bool isMemoryFailure() const { return kind != Kind::Warning && kind != Kind::Other; }
    /// True if the log shows that the run ended with this event, false if work continues, nullopt if
    /// unknown.
    std::optional<bool> fatal;
    bool lowTrust = false; ///< The output of several writers is mixed in these lines

    std::size_t memoryBytes() const;
};

/// Returns "oom", "warning", "driver-oom", "host-oom", "engine-oom", "unclear", "other".
std::string_view toText(LogEvent::Kind kind);
/// Returns "unknown", "device", "host", "shared-memory".
std::string_view toText(LogEvent::Subject subject);

/// A setting of the run, from its log or a configuration file.
struct ConfigurationEntry
{
    std::string name; ///< Flattened: "optimizer.lr"
    std::string value;
    std::string origin; ///< For example "command line", "environment", "yaml", "json", "what-if"
    std::uint64_t line = 0; ///< 1-based; 0 where unknown
    bool operator==(const ConfigurationEntry&) const = default;
};

} // namespace highwater

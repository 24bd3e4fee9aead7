#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/string_pool.h"
#include "core/base/units.h"

namespace highwater {

/// A figure as a message writes it, rounded: the true one is at most `rounding` away.
struct WrittenBytes
{
    Bytes bytes = 0;
    Bytes rounding = 0; ///< half of the last digit that is written
    bool operator==(const WrittenBytes&) const = default;
};

/// Another process on the same device, as a message of PyTorch lists it.
struct ProcessUse
{
    std::int64_t process = 0; ///< its id
    WrittenBytes used;
    bool operator==(const ProcessUse&) const = default;
};

/// What an out-of-memory message says, clause by clause; nothing here is computed from anything else.
struct OomFigures
{
    std::string wording; ///< id of the table entry of its head: "torch", "jax"
    std::string backend; ///< "CUDA", "HIP", …, as written; empty: not said
    std::optional<std::int64_t> device; ///< index among the visible devices, not the physical one
    std::optional<WrittenBytes> requested;
    std::optional<WrittenBytes> capacity;
    std::optional<WrittenBytes> free; ///< the driver's view
    std::optional<WrittenBytes> allowed; ///< by the per-process fraction, or the allocator's limit
    std::optional<WrittenBytes> processUsed; ///< by this process, memory outside of PyTorch included
    std::optional<WrittenBytes> allocated; ///< by PyTorch, private pools included
    std::optional<WrittenBytes> privatePools;
    std::optional<WrittenBytes> reservedUnallocated; ///< "cached" in PyTorch 1.0 to 1.3
    std::optional<WrittenBytes> reserved; ///< only where it is written as such
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

/// A line of a log that means something: an out-of-memory message, a warning.
struct LogEvent
{
    static constexpr std::int64_t kNoStep = -1;
    static constexpr std::int64_t kNoFailure = -1;

    enum class Kind : std::uint8_t
    {
        Oom, ///< an allocator's message that a request failed
        Warning,
        DriverOom, ///< a library or the driver ran out, outside of any caching allocator
        HostOom, ///< a process was ended, or failed, for want of host memory
    };
    Kind kind = Kind::Warning;
    std::string text; ///< the message, without prefixes and colours, its lines joined by line ends
    std::uint64_t line = 0; ///< 1-based
    std::int64_t failure = kNoFailure; ///< messages of one failure share a number

    std::optional<std::int64_t> rank;
    std::string process; ///< who wrote it, where the line says so: "WorkerDict pid=13908"
    Nanoseconds time = 0; ///< as `Trace` tells them; 0: not known
    bool timeInferred = false; ///< that of the last line before it that has one
    std::int64_t step = kNoStep; ///< the one during which it happened
    bool stepInferred = false; ///< one more than that of the last record before it
    std::string pattern; ///< id of the table entry that found it
    std::optional<OomFigures> figures; ///< of Oom
    std::vector<LogFrame> frames; ///< of the traceback before it, innermost last
    bool fatal = false; ///< no record of the same stream follows
    bool lowTrust = false; ///< pieces of several writers are mixed in these lines

    std::size_t memoryBytes() const;
};

/// "oom", "warning", "driver-oom", "host-oom".
std::string_view toText(LogEvent::Kind kind);

/// A setting of the run as its log, or a file of its configuration, writes it.
struct ConfigurationEntry
{
    std::string name; ///< flattened: "optimizer.lr"
    std::string value;
    std::string origin; ///< "command line", "environment", "yaml", "json", "arguments", "overrides"
    std::uint64_t line = 0; ///< 1-based; 0: not known
    bool operator==(const ConfigurationEntry&) const = default;
};

} // namespace highwater

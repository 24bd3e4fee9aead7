#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/clock.h"
#include "core/trace/log_event.h"

/// Facts about a file by which it can be told that two files are not of one run.
namespace highwater {

/// One of the events by which the recordings of one process are recognised.
struct EventMark
{
    std::uint64_t hash = 0; ///< of its time, address and size
    Nanoseconds time = 0;

    auto operator<=>(const EventMark&) const = default;
};

/// A plain value of some kilobytes. What a file does not tell is empty and contradicts nothing.
struct RunEvidence
{
    static constexpr std::size_t kMostMarks = 128;
    static constexpr std::size_t kMostFunctions = 1024;

    TraceKind kind = TraceKind::Unknown;
    Clock clock = Clock::Own;
    std::optional<TimeRange> times;
    /// A recording that begins with its process: nothing was in use before its first event.
    bool isWhole = false;
    std::optional<std::int64_t> worldSize; ///< ranks of the run
    /// Hashes of own functions with their files' names, ascending: those with the lowest, at most
    /// `kMostFunctions`. Of a recording of all its stacks, so that those that call everything else are among
    /// them; of a log of its tracebacks.
    std::vector<std::uint64_t> code;
    /// Those with the lowest hashes, at most `kMostMarks`, ascending: two recordings of one process have the
    /// same ones at the times that both record.
    std::vector<EventMark> marks;
    std::vector<std::uint64_t> segments; ///< hashes of address and size at the end, chosen in the same way
    std::vector<WrittenBytes> failedRequests; ///< of a recording as it has them, of a log as printed
    Bytes reservedPeakBytes = 0; ///< of a recording
    std::optional<Bytes> capacityBytes; ///< of the GPU, as a log prints it
};

/// Whether two recordings are of one process.
enum class SameProcess : std::uint8_t
{
    Yes,
    No,
    Unknown,
};
/// By the events of the time that both record; where there is none, by the allocator's segments. O(marks).
SameProcess isSameProcess(const RunEvidence& a, const RunEvidence& b);

/// Why two files cannot be of one run.
struct Contradiction
{
    enum class Kind : std::uint8_t
    {
        Clocks, ///< they were not written at one time, or both are of one rank at one time
        Figures,
        WorldSize,
        Code,
    };
    Kind kind = Kind::Clocks;
    std::string reason; ///< what follows "because": "they were recorded 3 days apart"

    bool operator==(const Contradiction&) const = default;
};
/// "clocks", "figures", "world-size", "code".
std::string_view toText(Contradiction::Kind kind);

/// How many functions both have, as a share of the shorter list; 0: one of them is empty.
double sharedCode(const RunEvidence& a, const RunEvidence& b);
/// The time between the two; 0: they overlap; none: the clocks cannot be compared. Of clocks whose zones are
/// not known what no zone explains.
std::optional<Nanoseconds> timeBetween(const RunEvidence& a, const RunEvidence& b);

/// Two recordings. `sameRank`: both are known to be of one rank; `otherRank`: to be of different ones.
std::optional<Contradiction> contradictionOfRecordings(
    const RunEvidence& a, const RunEvidence& b, bool sameRank, bool otherRank);
/// A log, or another file without allocations, and what the recordings of a run tell together.
std::optional<Contradiction> contradictionOfLog(const RunEvidence& log, const RunEvidence& recordings);

} // namespace highwater

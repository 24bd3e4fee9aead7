#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/clock.h"
#include "core/trace/log_event.h"

/// Facts about a file that can show that two files do not belong to one run.
namespace highwater {

/// An event by which recordings of the same process are recognised.
struct EventMark
{
    std::uint64_t hash = 0; ///< Hash of its time, address and size
    Nanoseconds time = 0;

    auto operator<=>(const EventMark&) const = default;
};

/// The facts about one file by which files are sorted into runs. A fact that is missing in the file is empty
/// and contradicts nothing.
struct RunEvidence
{
    static constexpr std::size_t kMaxMarks = 128;
    static constexpr std::size_t kMaxFunctions = 1024;

    TraceKind kind = TraceKind::Unknown;
    Clock clock = Clock::Own;
    std::optional<TimeRange> times;
    /// True if the recording begins with its process: nothing was in use before its first event.
    bool isWhole = false;
    std::optional<std::int64_t> worldSize; ///< Number of ranks of the run
    /// The lowest hashes of the user's functions with their file names, ascending, at most
    /// `kMaxFunctions`. A recording has the functions of all its stacks, so that the outermost ones are
    /// included; a log has those of its tracebacks.
    std::vector<std::uint64_t> code;
    /// The marks with the lowest hashes, ascending, at most `kMaxMarks`. Two recordings of one process
    /// share all marks within their common time range, up to the hash at which either list is full.
    std::vector<EventMark> marks;
    /// The lowest hashes of address and size of the final segments, ascending, at most `kMaxMarks`.
    std::vector<std::uint64_t> segments;
    std::vector<WrittenBytes> failedRequests; ///< For a recording, as recorded; for a log, as printed
    Bytes reservedPeakBytes = 0; ///< For recordings
    std::optional<Bytes> capacityBytes; ///< Capacity of the GPU, as printed in a log
};

enum class SameProcess : std::uint8_t
{
    Yes,
    No,
    Unknown,
};
/// Checks if one process made both recordings. Compares events in the time range that both cover: Yes if one
/// is common, No if none is although each has eight or more, or if both recordings begin with their
/// processes. Without a common range, Yes if half of the allocator's final segments are common. Exports of a
/// memory timeline are compared by their start. Unknown in all other cases, and unless both are recordings of
/// one kind with times since the epoch. O(marks × log(marks)).
SameProcess isSameProcess(const RunEvidence& a, const RunEvidence& b);

/// True if a log and a recording show the same failed request. PyTorch prints the size of the block or
/// segment that it requested from the driver, and records the rounded request (CUDACachingAllocator:
/// round_size, get_allocation_size).
bool isSameRequest(const WrittenBytes& recorded, const WrittenBytes& printed);

/// The reason why two files cannot belong to one run.
struct Contradiction
{
    enum class Kind : std::uint8_t
    {
        Clocks, ///< Written at different times, or by one rank at the same time with different events
        Figures,
        WorldSize,
        Code,
    };
    Kind kind = Kind::Clocks;
    std::string reason; ///< The text after "because": "they were recorded 3 days apart"

    bool operator==(const Contradiction&) const = default;
};
/// Returns "clocks", "figures", "world-size", "code".
std::string_view toText(Contradiction::Kind kind);

/// Returns the number of functions that both files have as a share of the shorter list, from 0 to 1; 0 if
/// either list is empty. Lists that are full are compared as far as both reach.
double sharedCodeShare(const RunEvidence& a, const RunEvidence& b);
/// Returns the time between the end of one recording and the start of the other; 0 if they overlap, nullopt
/// if one has no times or the clocks cannot be compared. If a time zone is unknown, the largest difference
/// between time zones is subtracted first, so that 0 then means that they may overlap.
std::optional<Nanoseconds> timeBetween(const RunEvidence& a, const RunEvidence& b);

/// Compares two recordings. `hasSameRank` means that both are known to have the same rank, `hasOtherRank`
/// that their ranks are known to differ. Returns nullopt if both can belong to one run.
std::optional<Contradiction> contradictionOfRecordings(
    const RunEvidence& a, const RunEvidence& b, bool hasSameRank, bool hasOtherRank);
/// Compares a log, or another file without allocations, with the combined facts of a run's recordings.
/// Returns nullopt if the log can belong to that run.
std::optional<Contradiction> contradictionOfLog(const RunEvidence& log, const RunEvidence& recordings);

} // namespace highwater

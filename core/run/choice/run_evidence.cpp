#include "core/run/choice/run_evidence.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/trace/allocator_sizes.h"

namespace highwater {

namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kHour = 3600 * kSecond;

/// The difference between the westernmost and the easternmost time zone.
constexpr Nanoseconds kZoneSpan = 26 * kHour;
/// Ranks that wait for a dead one are ended by the timeouts of their collectives, at most hours later.
constexpr Nanoseconds kLongestWait = 24 * kHour;
/// The longest time between the failure of one rank and the start of another: the last rank may still be
/// loading its model. Ranks that have trained together overlap, since their steps wait for each other.
constexpr Nanoseconds kLongestStart = 600 * kSecond;
/// The shortest time between two runs of a script: the second one imports PyTorch before it records.
constexpr Nanoseconds kShortestRestart = 2 * kSecond;
/// A log may begin before the recording of its run and continue after it.
constexpr Nanoseconds kLongestLogGap = 6 * kHour;

/// Code is compared only if both files have this many functions. Every stack and traceback of a run begins
/// with the functions of its script.
constexpr std::ptrdiff_t kFewestFunctions = 2;
/// Times of one event may differ by this much, since some file formats store microseconds.
constexpr Nanoseconds kClockTick = 2'000;

/// With this many comparable marks each, of which none is common, two recordings are of two processes.
constexpr std::size_t kFewestMarks = 8;

/// Counts of marks in the time range that two recordings share. Only hashes count for which both lists are
/// complete.
struct CommonMarks
{
    std::size_t inFirst = 0;
    std::size_t inSecond = 0;
    std::size_t both = 0; ///< In both recordings
};

CommonMarks commonMarks(const RunEvidence& a, const RunEvidence& b)
{
    const Nanoseconds begin = std::max(a.times->begin, b.times->begin);
    const Nanoseconds end = std::min(a.times->end, b.times->end);
    const auto highestHash = [](const RunEvidence& evidence) {
        return evidence.marks.size() < RunEvidence::kMaxMarks ? ~std::uint64_t{0}
                                                              : evidence.marks.back().hash;
    };
    const std::uint64_t limit = std::min(highestHash(a), highestHash(b));
    const auto isComparable
        = [&](const EventMark& mark) { return mark.hash <= limit && begin <= mark.time && mark.time <= end; };
    CommonMarks common;
    common.inFirst = static_cast<std::size_t>(std::ranges::count_if(a.marks, isComparable));
    common.inSecond = static_cast<std::size_t>(std::ranges::count_if(b.marks, isComparable));
    for (const EventMark& mark : a.marks)
        common.both += isComparable(mark) && std::ranges::binary_search(b.marks, mark);
    return common;
}

/// Counts of hashes in two lists, each of which may contain only the lowest `most` hashes. Only hashes
/// count for which both lists are complete.
struct CommonHashes
{
    std::ptrdiff_t fewer = 0; ///< Number of hashes of the list that has fewer
    std::ptrdiff_t both = 0; ///< Number of hashes that are in both lists
};

CommonHashes commonHashes(
    const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, std::size_t most)
{
    const auto highestHash = [&](const std::vector<std::uint64_t>& hashes) {
        return hashes.size() < most ? ~std::uint64_t{0} : hashes.back();
    };
    const std::uint64_t limit = std::min(highestHash(a), highestHash(b));
    const auto countUpToLimit = [&](const std::vector<std::uint64_t>& hashes) {
        return std::ranges::upper_bound(hashes, limit) - hashes.begin();
    };
    const auto both = std::ranges::count_if(
        a, [&](std::uint64_t hash) { return hash <= limit && std::ranges::binary_search(b, hash); });
    return {std::min(countUpToLimit(a), countUpToLimit(b)), both};
}

CommonHashes commonCode(const RunEvidence& a, const RunEvidence& b)
{
    return commonHashes(a.code, b.code, RunEvidence::kMaxFunctions);
}

/// True if both have the same, known clock and may overlap.
bool haveCommonTime(const RunEvidence& a, const RunEvidence& b)
{
    return a.clock == b.clock && a.clock != Clock::Own && timeBetween(a, b) == Nanoseconds{0};
}

/// Returns "3 days", "2 min 6 s", "10 s".
std::string apartText(Nanoseconds between)
{
    constexpr Nanoseconds day = 24 * kHour;
    if (between >= 2 * day)
        return fmt::format("{} days", formatCount(between / day));
    return between < 60 * kSecond ? fmt::format("{} s", between / kSecond)
                                  : formatDuration(between / kSecond * kSecond);
}

std::optional<Contradiction> worldSizeContradiction(const RunEvidence& a, const RunEvidence& b)
{
    if (!a.worldSize || !b.worldSize || a.worldSize == b.worldSize)
        return std::nullopt;
    return Contradiction{Contradiction::Kind::WorldSize,
        fmt::format("one run has {}, the other {}", counted(*a.worldSize, "rank", "ranks"),
            formatCount(*b.worldSize))};
}

/// Returns a contradiction if one recording begins too long after the end of the other, unless both have
/// the same rank.
std::optional<Contradiction> timeContradiction(
    const RunEvidence& a, const RunEvidence& b, bool hasSameRank, bool hasOtherRank)
{
    const std::optional<Nanoseconds> gap = timeBetween(a, b);
    if (!gap || *gap == 0 || hasSameRank)
        return std::nullopt;
    const bool isALater = a.times->begin > b.times->end;
    const RunEvidence& later = isALater ? a : b;
    const bool hasFailed = !(isALater ? b : a).failedRequests.empty();
    const Nanoseconds longestGap = !later.isWhole ? kLongestWait
        : hasOtherRank && hasFailed               ? kLongestStart
                                                  : kShortestRestart;
    if (*gap <= longestGap)
        return std::nullopt;
    if (!later.isWhole)
        return Contradiction{
            Contradiction::Kind::Clocks, fmt::format("they were recorded {} apart", apartText(*gap))};
    return Contradiction{
        Contradiction::Kind::Clocks, fmt::format("one started {} after the other ended", apartText(*gap))};
}

} // namespace

bool isSameRequest(const WrittenBytes& recorded, const WrittenBytes& printed)
{
    const auto roundedUp = [](Bytes bytes, Bytes unit) { return (bytes + unit - 1) / unit * unit; };
    const Bytes block = roundedUp(recorded.bytes, kSmallestBlock);
    const Bytes segment = block <= kSmallRequest ? kSmallSegment
        : block < kLeastOwnSegmentRequest        ? kLargeSegment
                                                 : roundedUp(block, kOwnSegmentUnit);
    const std::array<Bytes, 3> sizes{recorded.bytes, block, segment};
    return std::ranges::any_of(sizes,
        [&](Bytes size) { return std::abs(size - printed.bytes) <= recorded.rounding + printed.rounding; });
}

std::string_view toText(Contradiction::Kind kind)
{
    switch (kind) {
    case Contradiction::Kind::Clocks: return "clocks";
    case Contradiction::Kind::Figures: return "figures";
    case Contradiction::Kind::WorldSize: return "world-size";
    case Contradiction::Kind::Code: break;
    }
    return "code";
}

double sharedCodeShare(const RunEvidence& a, const RunEvidence& b)
{
    const CommonHashes common = commonCode(a, b);
    return common.fewer > 0 ? static_cast<double>(common.both) / static_cast<double>(common.fewer) : 0;
}

std::optional<Nanoseconds> timeBetween(const RunEvidence& a, const RunEvidence& b)
{
    if (!a.times || !b.times || clockRelation(a.clock, b.clock) == ClockRelation::Unknown)
        return std::nullopt;
    Nanoseconds gap = std::max(a.times->begin, b.times->begin) - std::min(a.times->end, b.times->end);
    if (a.clock == Clock::Local || b.clock == Clock::Local)
        gap -= kZoneSpan;
    return std::max<Nanoseconds>(gap, 0);
}

SameProcess isSameProcess(const RunEvidence& a, const RunEvidence& b)
{
    if (a.kind == TraceKind::MemoryTimeline && b.kind == a.kind) // one timeline has several formats
        return a.times && b.times && std::abs(a.times->begin - b.times->begin) < kClockTick
            ? SameProcess::Yes
            : SameProcess::Unknown;
    if (a.kind != b.kind || a.marks.empty() || b.marks.empty() || a.clock != Clock::Unix
        || b.clock != Clock::Unix)
        return SameProcess::Unknown;
    const CommonMarks common = commonMarks(a, b);
    if (common.both > 0)
        return SameProcess::Yes;
    if (std::min(common.inFirst, common.inSecond) >= kFewestMarks || (a.isWhole && b.isWhole))
        return SameProcess::No;
    if (haveCommonTime(a, b))
        return SameProcess::Unknown;
    const CommonHashes shared = commonHashes(a.segments, b.segments, RunEvidence::kMaxMarks);
    return shared.both > 0 && shared.both * 2 >= shared.fewer ? SameProcess::Yes : SameProcess::Unknown;
}

std::optional<Contradiction> contradictionOfRecordings(
    const RunEvidence& a, const RunEvidence& b, bool hasSameRank, bool hasOtherRank)
{
    if (std::optional<Contradiction> found = worldSizeContradiction(a, b))
        return found;
    if (hasSameRank && isSameProcess(a, b) == SameProcess::No) {
        const Nanoseconds gap = timeBetween(a, b).value_or(0);
        return Contradiction{Contradiction::Kind::Clocks,
            gap > 0 ? fmt::format("the same rank was recorded from its start twice, {} apart", apartText(gap))
                    : "the same rank has different events at the same time"};
    }
    if (std::optional<Contradiction> found = timeContradiction(a, b, hasSameRank, hasOtherRank))
        return found;
    if (const CommonHashes code = commonCode(a, b); code.fewer >= kFewestFunctions && code.both == 0)
        return Contradiction{Contradiction::Kind::Code, "they have no function in common"};
    return std::nullopt;
}

std::optional<Contradiction> contradictionOfLog(const RunEvidence& log, const RunEvidence& recordings)
{
    if (std::optional<Contradiction> found = worldSizeContradiction(log, recordings))
        return found;
    const std::optional<Nanoseconds> gap = timeBetween(log, recordings);
    if (gap && *gap > kLongestLogGap)
        return Contradiction{
            Contradiction::Kind::Clocks, fmt::format("they were written {} apart", apartText(*gap))};
    if (log.capacityBytes && recordings.reservedPeakBytes > *log.capacityBytes)
        return Contradiction{Contradiction::Kind::Figures,
            fmt::format("one run reserves {}, but the GPU of the other has {}",
                formatBytes(recordings.reservedPeakBytes), formatBytes(*log.capacityBytes))};
    if (const CommonHashes code = commonCode(log, recordings);
        code.fewer >= kFewestFunctions && code.both == 0)
        return Contradiction{Contradiction::Kind::Code, "they have no function in common"};
    if (log.failedRequests.empty() || recordings.failedRequests.empty() || haveCommonTime(log, recordings))
        return std::nullopt;
    for (const WrittenBytes& printed : log.failedRequests)
        for (const WrittenBytes& recorded : recordings.failedRequests)
            if (isSameRequest(recorded, printed))
                return std::nullopt;
    return Contradiction{Contradiction::Kind::Figures,
        fmt::format("one run failed when it requested {}, the other when it requested {}",
            formatBytes(recordings.failedRequests.front().bytes),
            formatBytes(log.failedRequests.front().bytes))};
}

} // namespace highwater

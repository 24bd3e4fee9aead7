#include "core/analysis/segments/oom_verdict.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr Bytes kSmallLimit = kMiB;

PoolId defaultPool(const Trace& trace)
{
    for (std::uint32_t i = 0; i < trace.pools.size(); ++i)
        if (trace.pools[i].isDefault())
            return PoolId(i);
    return PoolId();
}

/// Whether segments like this serve requests like that. What a file does not say could be anything.
bool serves(const Trace& trace, const MappedRange& range, const FreeListKey& key)
{
    const bool samePool
        = range.pool == key.pool || (!trace.isPrivate(key.pool) && !trace.isPrivate(range.pool));
    const bool sameStream = key.stream.isNone() || range.stream.isNone() || range.stream == key.stream;
    return samePool && sameStream && (range.type == SegmentType::Unknown || range.type == key.type);
}

FreeListKey keyOf(const Trace& trace, const MemoryEvent& oom)
{
    return {oom.pool.isNone() ? defaultPool(trace) : oom.pool, oom.stream,
        oom.size <= kSmallLimit ? SegmentType::Small : SegmentType::Large};
}

/// Slides over the blocks of a segment, each time up to the first one with which the run is long enough.
class RunSearch
{
public:
    RunSearch(const SegmentState& state, Bytes wanted)
        : m_state(state)
        , m_wanted(wanted)
    {
    }

    /// `wanted` must be positive.
    void look(std::uint32_t index)
    {
        const SegmentAt& segment = m_state.segments[index];
        ClearableRun run{index, {segment.blocks.first, segment.blocks.first}, 0, 0};
        Bytes length = 0;
        while (run.blocks.last < segment.blocks.last) {
            length += take(run, m_state.blocks[run.blocks.last++], 1);
            while (length - m_state.blocks[run.blocks.first].size >= m_wanted)
                length -= take(run, m_state.blocks[run.blocks.first++], -1);
            if (length >= m_wanted && (!m_best || run.bytesInTheWay < m_best->bytesInTheWay))
                m_best = run;
        }
    }

    const std::optional<ClearableRun>& best() const { return m_best; }

private:
    static Bytes take(ClearableRun& run, const BlockAt& block, int sign)
    {
        if (!block.isHole()) {
            run.bytesInTheWay += sign * block.size;
            run.blocksInTheWay += sign;
        }
        return block.size;
    }

    const SegmentState& m_state;
    Bytes m_wanted;
    std::optional<ClearableRun> m_best;
};

OomCause causeOf(const OomVerdict& verdict)
{
    const Bytes wanted = verdict.requestedBytes;
    if (wanted <= 0 || verdict.deviceFreeBytes < 0
        || verdict.deviceFreeBytes > std::numeric_limits<Bytes>::max() - verdict.reservedBytes)
        return OomCause::Unknown;
    if (verdict.servingLargestFree >= wanted || verdict.deviceFreeBytes >= wanted)
        return OomCause::Unexplained;
    if (verdict.servingFreeBytes >= wanted)
        return OomCause::Fragmentation;
    return wanted > verdict.freeBytes + verdict.deviceFreeBytes ? OomCause::TooBig : OomCause::Divided;
}

std::string holesText(const OomVerdict& verdict)
{
    return fmt::format("{} free in {}, largest {}", formatBytes(verdict.servingFreeBytes),
        counted(verdict.servingHoles, "hole", "holes"), formatBytes(verdict.servingLargestFree));
}

/// Said where the verdict would make waste look like the cause.
std::string fullnessText(const OomVerdict& verdict)
{
    if (!verdict.isNearlyFull())
        return {};
    return fmt::format("; but all that was free is {} of {}: memory was as good as full",
        formatShare(verdict.freeBytes + verdict.deviceFreeBytes, verdict.reachableBytes()),
        formatBytes(verdict.reachableBytes()));
}

} // namespace

std::string_view toText(OomCause cause)
{
    constexpr std::string_view kNames[] = {"fragmentation", "too big", "divided", "unexplained", "unknown"};
    return kNames[static_cast<std::size_t>(cause)];
}

OomVerdict oomVerdict(const Trace& trace, DeviceIndex device, const SegmentState& state)
{
    const MemoryEvent oom = trace.events.row(trace.row(device, state.event));
    OomVerdict verdict;
    verdict.event = state.event;
    verdict.key = keyOf(trace, oom);
    verdict.requestedBytes = oom.size;
    verdict.deviceFreeBytes = static_cast<Bytes>(oom.address);
    verdict.reservedBytes = state.reservedBytes;
    verdict.liveBytes = state.liveBytes();
    verdict.freeBytes = state.freeBytes;
    RunSearch search(state, oom.size);
    for (std::uint32_t i = 0; i < state.segments.size(); ++i) {
        const SegmentAt& segment = state.segments[i];
        if (!serves(trace, segment.range, verdict.key))
            continue;
        verdict.servingFreeBytes += segment.freeBytes;
        verdict.servingLargestFree = std::max(verdict.servingLargestFree, segment.largestFree);
        verdict.servingHoles += std::ranges::count_if(state.blocksOf(segment), &BlockAt::isHole);
        if (oom.size > 0)
            search.look(i);
    }
    verdict.cheapest = search.best();
    verdict.cause = causeOf(verdict);
    if (verdict.cause == OomCause::TooBig)
        verdict.missingBytes = oom.size - verdict.freeBytes - verdict.deviceFreeBytes;
    return verdict;
}

std::string sentenceOf(const Trace& trace, const OomVerdict& verdict)
{
    const std::string wanted = formatBytes(verdict.requestedBytes);
    const std::string deviceFree = formatBytes(verdict.deviceFreeBytes);
    const std::string key = toText(trace, verdict.key);
    switch (verdict.cause) {
    case OomCause::Fragmentation:
        return fmt::format(
            "fragmentation: {} requested; {} in {} would do in one piece; {} free on the device{}", wanted,
            holesText(verdict), key, deviceFree, fullnessText(verdict));
    case OomCause::TooBig:
        return fmt::format("too big: {} requested + {} allocated > {} that PyTorch could have ({} reserved + "
                           "{} free on the device): {} too much even without any waste; {} in {}",
            wanted, formatBytes(verdict.liveBytes), formatBytes(verdict.reachableBytes()),
            formatBytes(verdict.reservedBytes), deviceFree, formatBytes(verdict.missingBytes),
            holesText(verdict), key);
    case OomCause::Divided:
        return fmt::format("neither fragmentation nor too big: {} requested; {} in {}; {} free inside all "
                           "reserved + {} free on the device would do, but not together{}",
            wanted, holesText(verdict), key, formatBytes(verdict.freeBytes), deviceFree,
            fullnessText(verdict));
    case OomCause::Unexplained:
        return fmt::format(
            "neither fragmentation nor too big: {} requested; {} in {}; {} free on the device: the file does "
            "not say what forbade its use (a memory limit, max_split_size_mb)",
            wanted, holesText(verdict), key, deviceFree);
    case OomCause::Unknown: break;
    }
    return fmt::format(
        "no verdict: the event does not say how much was requested and free ({} requested; {} in {})", wanted,
        holesText(verdict), key);
}

std::string obstacleOf(const OomVerdict& verdict, const SegmentState& state)
{
    if (verdict.cause != OomCause::Fragmentation && verdict.cause != OomCause::Divided)
        return {};
    if (!verdict.cheapest)
        return "no segment that may serve the request is as large as it: only new memory in one piece, or "
               "expandable segments, could";
    const SegmentAt& segment = state.segments[verdict.cheapest->segment];
    return fmt::format("least in the way of one such run: {} in {} of the segment at {}",
        formatBytes(verdict.cheapest->bytesInTheWay),
        counted(verdict.cheapest->blocksInTheWay, "block", "blocks"), formatAddress(segment.range.begin));
}

} // namespace highwater

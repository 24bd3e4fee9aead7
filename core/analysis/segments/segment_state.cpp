#include "core/analysis/segments/segment_state.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/base/interruption.h"
#include "core/base/text_format.h"

// Rebuilds the allocator's segments and blocks at any event. Input: the segments at the end of the file, the
// segment events, and the live allocations with their block sizes.
// Idea: undo the segment events backwards from the end; then place the live blocks in each segment by
// address, and fill the gaps with free blocks. Blocks are cut where they overlap; a block outside all
// segments is only counted.
// Example (sample tiny-hand-checked, after event 15): the file ends with segments of 20 MiB at 0 and 2 MiB at
// 0x1400000. Undoing event 18 (segment_free) restores 20 MiB at 0x1600000. The live blocks are
//   0: 4 MiB, 0x400000: 4 MiB, 0x1400000: 1 KiB, 0x1600000: 4 MiB.
// Each segment then ends with a free block: 12 MiB, 2 MiB − 1 KiB and 16 MiB. So 44,040,192 bytes are
// reserved, 12,583,936 are active, there are 3 free blocks, and 12 MiB is the largest one of segment 0.

namespace highwater {

namespace {

/// The most bytes that the large pool leaves unsplit. So many bytes after a block whose size is a lower bound
/// may belong to that block.
constexpr Bytes kLargestRest = kMiB;
constexpr std::size_t kFewestChangesBetweenCheckpoints = 256;

/// A live allocation and its address.
struct LiveAddress
{
    Address address = 0;
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    auto operator<=>(const LiveAddress&) const = default;
};

/// Places the live blocks in their segments, in order of address, and fills the gaps with free blocks. Each
/// object fills one state.
class BlockPlacer
{
public:
    /// `live` is ordered by address; `blockOf` returns the whole block of an allocation.
    BlockPlacer(SegmentState& state, const AllocationTable& allocations, std::vector<AllocationIndex> live,
        std::function<BlockAt(AllocationIndex)> blockOf)
        : m_state(state)
        , m_allocations(allocations)
        , m_live(std::move(live))
        , m_blockOf(std::move(blockOf))
        , m_nextAddress(addressOf(0))
        , m_addressAfterNext(addressOf(1))
    {
    }

    void fill(const MappedRanges& ranges)
    {
        ranges.forEach([this](const MappedRange& range) { fill(range); });
        for (; m_next < m_live.size(); advance())
            countOutside(m_blockOf(m_live[m_next]));
    }

private:
    void fill(const MappedRange& range)
    {
        for (; m_next < m_live.size() && m_nextAddress < range.begin; advance())
            countOutside(m_blockOf(m_live[m_next]));
        SegmentAt segment;
        segment.range = range;
        segment.blocks.first = blockCount();
        Address position = range.begin;
        for (; m_next < m_live.size() && m_nextAddress < range.end(); advance()) {
            BlockAt block = m_blockOf(m_live[m_next]);
            if (!clip(block, position, range.end()))
                continue;
            addFreeBlock(segment, position, block.address);
            addBlock(segment, block);
            position = block.end();
        }
        addFreeBlock(segment, position, range.end());
        segment.blocks.last = blockCount();
        m_state.reservedBytes += range.size;
        m_state.segments.push_back(segment);
    }

    Address addressOf(std::size_t nth) const
    {
        return nth < m_live.size() ? m_allocations.address(m_live[nth]) : 0;
    }

    void advance()
    {
        ++m_next;
        m_nextAddress = m_addressAfterNext;
        m_addressAfterNext = addressOf(m_next + 1);
    }

    std::uint32_t blockCount() const { return static_cast<std::uint32_t>(m_state.blocks.size()); }

    /// Cuts the block to the rest of its segment and to the next block. Returns false if nothing remains.
    bool clip(BlockAt& block, Address from, Address to)
    {
        if (m_next + 1 < m_live.size())
            to = std::min(to, std::max(block.address, m_addressAfterNext));
        const Address begin = std::max(block.address, from);
        const auto available = static_cast<Bytes>(to > begin ? to - begin : 0);
        const Bytes size = std::min(block.size - static_cast<Bytes>(begin - block.address), available);
        if (begin != block.address || size != block.size)
            ++m_state.clippedBlockCount;
        if (size <= 0) {
            countOutside(block);
            return false;
        }
        block.address = begin;
        block.size = size;
        return true;
    }

    void addFreeBlock(SegmentAt& segment, Address from, Address to)
    {
        if (from >= to)
            return;
        BlockAt block;
        block.address = from;
        block.size = static_cast<Bytes>(to - from);
        const bool afterLowerBound = blockCount() > segment.blocks.first
            && m_state.blocks.back().sizeSource == SizeSource::LowerBound && !segment.range.expandable;
        if (afterLowerBound)
            m_state.possiblyOccupiedBytes += std::min(block.size, kLargestRest);
        m_state.blocks.push_back(block);
        segment.freeBytes += block.size;
        segment.largestFree = std::max(segment.largestFree, block.size);
        m_state.freeBytes += block.size;
        ++m_state.freeBlockCount;
    }

    void addBlock(SegmentAt& segment, const BlockAt& block)
    {
        m_state.blocks.push_back(block);
        const bool isPending = block.state == BlockState::PendingFree;
        (isPending ? segment.pendingBytes : segment.activeBytes) += block.size;
        (isPending ? m_state.pendingBytes : m_state.activeBytes) += block.size;
        m_state.requestedBytes += block.requested;
        ++m_state.liveBlockCount;
        m_state.blockCountByRule += block.sizeSource == SizeSource::Rule;
        m_state.blockCountByLowerBound += block.sizeSource == SizeSource::LowerBound;
    }

    void countOutside(const BlockAt& block)
    {
        ++m_state.outsideAllocationCount;
        m_state.outsideBytes += block.requested;
    }

    SegmentState& m_state;
    const AllocationTable& m_allocations;
    std::vector<AllocationIndex> m_live;
    std::function<BlockAt(AllocationIndex)> m_blockOf;
    std::size_t m_next = 0;
    Address m_nextAddress; ///< address of the allocation m_live[m_next]
    Address m_addressAfterNext;
};

/// Returns the live allocations by address. Skips the sort, which needs a list of addresses, if they are in
/// order already.
std::vector<AllocationIndex> liveByAddress(
    const AllocationTable& allocations, const LiveIndex& index, std::int64_t event)
{
    std::vector<AllocationIndex> live;
    index.liveAt(event, live);
    const auto address = [&](AllocationIndex allocation) { return allocations.address(allocation); };
    if (std::ranges::is_sorted(live, {}, address))
        return live;
    std::vector<LiveAddress> addresses;
    addresses.reserve(live.size());
    for (const AllocationIndex allocation : live)
        addresses.push_back({address(allocation), allocation});
    std::ranges::sort(addresses);
    std::ranges::transform(addresses, live.begin(), &LiveAddress::allocation);
    return live;
}

Bytes totalBytesOf(const MappedRanges& ranges)
{
    Bytes sum = 0;
    ranges.forEach([&sum](const MappedRange& range) { sum += range.size; });
    return sum;
}

/// Returns the bytes of all segments in the file, overlapping ones included.
Bytes finalSegmentBytes(const Trace& trace, DeviceIndex device)
{
    Bytes sum = 0;
    const RowRange rows = trace.devices[device].segments;
    for (std::uint32_t s = rows.first; s < rows.last; ++s)
        sum += trace.segments.segments.totalSize(s);
    return sum;
}

} // namespace

void SegmentsAt::push_back(const SegmentAt& segment)
{
    m_begin.push_back(segment.range.begin);
    m_size.push_back(segment.range.size);
    m_stream.push_back(segment.range.stream);
    m_pool.push_back(segment.range.pool);
    m_type.push_back(segment.range.type);
    m_expandable.push_back(segment.range.expandable);
    m_firstBlock.push_back(segment.blocks.first);
    m_lastBlock.push_back(segment.blocks.last);
    m_activeBytes.push_back(segment.activeBytes);
    m_pendingBytes.push_back(segment.pendingBytes);
    m_freeBytes.push_back(segment.freeBytes);
    m_largestFree.push_back(segment.largestFree);
}

SegmentAt SegmentsAt::operator[](std::size_t row) const
{
    return {range(row), blocks(row), m_activeBytes[row], m_pendingBytes[row], m_freeBytes[row],
        m_largestFree[row]};
}

void BlocksAt::push_back(const BlockAt& block)
{
    m_address.push_back(block.address);
    m_size.push_back(block.size);
    m_requested.push_back(block.requested);
    m_allocation.push_back(block.allocation);
    m_state.push_back(block.state);
    m_sizeSource.push_back(block.sizeSource);
}

SegmentHistory::SegmentHistory(const Trace& trace, const AllocationTable& allocations, const LiveIndex& live)
    : m_trace(trace)
    , m_allocations(allocations)
    , m_live(live)
    , m_sizes(trace, allocations)
    , m_pending(trace, live)
{
    const DeviceIndex device = allocations.device();
    InterruptionCounter interruption;
    for (std::int64_t event = 0; event < allocations.eventCount(); ++event) {
        interruption.round();
        const Action action = trace.events.action[trace.row(device, event)];
        if (isReservingAction(action) || isReleasingAction(action))
            m_changes.push_back(static_cast<std::int32_t>(event));
    }
    MappedRanges ranges = finalRanges(trace, device);
    m_misfits += totalBytesOf(ranges) != finalSegmentBytes(trace, device);
    std::size_t changesSinceCheckpoint = 0;
    m_checkpoints.push_back({m_changes.size(), ranges});
    for (std::size_t applied = m_changes.size(); applied > 0; --applied) {
        interruption.round();
        const std::int32_t event = m_changes[applied - 1];
        const Action action = trace.events.action[trace.row(device, event)];
        m_misfits += !undoChange(ranges, action, rangeOfEvent(trace, device, event));
        // Checkpoints are at least as many changes apart as there are ranges, so all copies together are no
        // larger than the list of changes.
        if (++changesSinceCheckpoint < std::max(kFewestChangesBetweenCheckpoints, ranges.count()))
            continue;
        m_checkpoints.push_back({applied - 1, ranges});
        changesSinceCheckpoint = 0;
    }
}

MappedRanges SegmentHistory::rangesAt(std::int64_t event) const
{
    const auto applied
        = static_cast<std::size_t>(std::ranges::upper_bound(m_changes, event) - m_changes.begin());
    const auto tooEarly = std::ranges::partition_point(
        m_checkpoints, [applied](const Checkpoint& checkpoint) { return checkpoint.changes >= applied; });
    const Checkpoint& start = *(tooEarly - 1);
    MappedRanges ranges = start.ranges;
    const DeviceIndex device = m_allocations.device();
    for (std::size_t i = start.changes; i > applied; --i) {
        const Action action = m_trace.events.action[m_trace.row(device, m_changes[i - 1])];
        undoChange(ranges, action, rangeOfEvent(m_trace, device, m_changes[i - 1]));
    }
    return ranges;
}

BlockAt SegmentHistory::blockOf(AllocationIndex allocation, std::int64_t event) const
{
    const OccupiedSize size = m_sizes.sizeOf(allocation);
    const bool isPending = m_pending.isPending(allocation, event);
    return {m_allocations.address(allocation), size.bytes, m_allocations.bytes(allocation), allocation,
        isPending ? BlockState::PendingFree : BlockState::Active, size.source};
}

SegmentState SegmentHistory::at(std::int64_t event) const
{
    SegmentState state;
    state.event = event;
    state.recorded = m_trace.devices[m_allocations.device()].canDeriveSegments();
    state.contradictionCount = m_misfits;
    BlockPlacer(state, m_allocations, liveByAddress(m_allocations, m_live, event),
        [this, event](AllocationIndex allocation) { return blockOf(allocation, event); })
        .fill(rangesAt(event));
    return state;
}

std::vector<std::string> reservations(const SegmentState& state)
{
    std::vector<std::string> sentences;
    if (!state.recorded)
        return sentences;
    if (state.blockCountByRule > 0)
        sentences.push_back(fmt::format(
            "{} of {} are no longer in the snapshot; their sizes follow from the allocator's rules",
            formatCount(state.blockCountByRule), counted(state.liveBlockCount, "block", "blocks")));
    if (state.blockCountByLowerBound > 0)
        sentences.push_back(fmt::format(
            "{} allocated before recording began; the sizes are lower bounds, and up to {} of the "
            "free bytes may belong to such blocks",
            counted(state.blockCountByLowerBound, "block was", "blocks were"),
            formatBytes(state.possiblyOccupiedBytes)));
    if (state.outsideAllocationCount > 0)
        sentences.push_back(fmt::format("{} ({} in use) {} outside the segments of the file",
            counted(state.outsideAllocationCount, "live allocation", "live allocations"),
            formatBytes(state.outsideBytes), state.outsideAllocationCount == 1 ? "is" : "are"));
    if (state.clippedBlockCount > 0)
        sentences.push_back(fmt::format("{} overlapped others or exceeded the segment and were cut",
            counted(state.clippedBlockCount, "block", "blocks")));
    if (state.contradictionCount > 0)
        sentences.push_back(fmt::format(
            "The file's segments and segment events contradict each other {}; the map may be wrong",
            counted(state.contradictionCount, "time", "times")));
    return sentences;
}

} // namespace highwater

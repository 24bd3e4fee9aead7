#include "core/analysis/cut/end_segments.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/trace/allocator_sizes.h"

namespace highwater {

namespace {

Block inactiveBlock(Address address, Bytes size)
{
    Block block;
    block.address = address;
    block.size = size;
    return block;
}

/// True if the blocks fill the segment one after the other.
bool isWhole(const Segment& segment, BlockRange blocks)
{
    Address filledEnd = segment.address;
    for (const Block& block : blocks) {
        if (block.address != filledEnd)
            return false;
        filledEnd += static_cast<Address>(block.size);
    }
    return filledEnd == segment.address + static_cast<Address>(segment.totalSize);
}

/// True if the file's own segments can be used: each is filled with blocks, and their live blocks are exactly
/// these allocations.
bool doRecordedSegmentsMatch(const AllocationTable& allocations, const std::vector<AllocationIndex>& live)
{
    const Trace& trace = allocations.trace();
    NumberMap<Address, Bytes> expected;
    for (const AllocationIndex i : live)
        expected.insert_or_assign(allocations.address(i), allocations.bytes(i));
    std::size_t found = 0;
    for (const Segment& segment : trace.segmentsOf(allocations.device())) {
        if (!isWhole(segment, trace.segments.blocksOf(segment)))
            return false;
        for (const Block& block : trace.segments.blocksOf(segment)) {
            if (!block.isLive())
                continue;
            const auto match = expected.find(block.address);
            if (match == expected.end() || match->second != block.requestedSize)
                return false;
            ++found;
        }
    }
    return found == live.size();
}

/// Returns, by address, the stack that allocated the segment that exists right after the event, if that stack
/// is known.
NumberMap<Address, StackId> segmentStacks(const Trace& trace, DeviceIndex device, std::int64_t event)
{
    NumberMap<Address, StackId> stacks;
    for (const Segment& segment : trace.segmentsOf(device))
        stacks.insert_or_assign(segment.address, segment.stack);
    for (std::int64_t e = trace.eventCount(device) - 1; e > event; --e) {
        const std::size_t row = trace.row(device, e);
        if (isReservingAction(trace.events.action[row])) // at the event, there was no segment or another one
            stacks.erase(trace.events.address[row]);
    }
    for (std::int64_t e = 0; e <= event; ++e) {
        const std::size_t row = trace.row(device, e);
        if (isReservingAction(trace.events.action[row]))
            stacks.insert_or_assign(trace.events.address[row], trace.events.stack[row]);
    }
    return stacks;
}

/// Turns the state at an event into rows of a snapshot.
class Layout
{
public:
    Layout(const SegmentHistory& history, const std::vector<AllocationIndex>& live, EndSegments& result)
        : m_history(history)
        , m_allocations(history.allocations())
        , m_trace(history.trace())
        , m_live(live)
        , m_result(result)
        , m_stacks(segmentStacks(m_trace, m_allocations.device(), result.state.event))
    {
    }

    void build()
    {
        m_result.blocks.reserve(m_result.state.blocks.size());
        for (const SegmentAt& segment : m_result.state.segments)
            addSegment(segment);
        for (const AllocationIndex i : m_live)
            if (!m_placed.contains(m_allocations.address(i)))
                addOutside(i);
    }

private:
    Block blockOf(AllocationIndex allocation, Bytes size) const
    {
        Block block;
        block.address = m_allocations.address(allocation);
        block.size = size;
        block.requestedSize = m_allocations.bytes(allocation);
        const bool isPending = m_history.pending().isPending(allocation, m_result.state.event);
        block.state = isPending ? BlockState::PendingFree : BlockState::Active;
        // If the table only knows the stack of the free, the block gets no stack.
        if (m_allocations.stackOrigin(allocation) != StackOrigin::Free)
            block.stack = m_allocations.stack(allocation);
        return block;
    }

    void addBlock(const Block& block, Segment& segment)
    {
        m_result.blocks.push_back(block);
        segment.blocks.last = static_cast<std::uint32_t>(m_result.blocks.size());
    }

    Segment startSegment(const MappedRange& range) const
    {
        Segment segment;
        segment.deviceOrdinal = m_trace.devices[m_allocations.device()].ordinal;
        segment.address = range.begin;
        segment.totalSize = range.size;
        segment.stream = range.stream;
        segment.pool = range.pool;
        segment.type = range.type;
        segment.expandable = range.expandable;
        if (const auto stack = m_stacks.find(range.begin); stack != m_stacks.end())
            segment.stack = stack->second;
        const auto row = static_cast<std::uint32_t>(m_result.blocks.size());
        segment.blocks = {row, row};
        return segment;
    }

    void addSegment(const SegmentAt& segmentAt)
    {
        Segment segment = startSegment(segmentAt.range);
        for (const BlockAt& block : m_result.state.blocksOf(segmentAt)) {
            // An allocation that another one covers in part has no block at its address, so `addOutside`
            // gives it a segment of its own.
            const bool keepsPlace
                = !block.isFreeBlock() && block.address == m_allocations.address(block.allocation);
            if (keepsPlace)
                m_placed.insert(block.address);
            addBlock(
                keepsPlace ? blockOf(block.allocation, block.size) : inactiveBlock(block.address, block.size),
                segment);
        }
        m_result.segments.push_back(segment);
    }

    void addOutside(AllocationIndex allocation)
    {
        const Bytes size = std::max(m_history.sizes().sizeOf(allocation).bytes, kSmallestBlock);
        MappedRange range;
        range.begin = m_allocations.address(allocation);
        range.size = size;
        range.stream = m_allocations.stream(allocation);
        range.pool = m_allocations.pool(allocation);
        range.type = size <= kSmallSegment ? SegmentType::Small : SegmentType::Large;
        Segment segment = startSegment(range);
        addBlock(blockOf(allocation, size), segment);
        m_result.segments.push_back(segment);
    }

    const SegmentHistory& m_history;
    const AllocationTable& m_allocations;
    const Trace& m_trace;
    const std::vector<AllocationIndex>& m_live;
    EndSegments& m_result;
    NumberMap<Address, StackId> m_stacks;
    NumberSet<Address> m_placed;
};

/// Takes the device's segments and blocks from the file.
void copyRecorded(const AllocationTable& allocations, EndSegments& result)
{
    const Trace& trace = allocations.trace();
    for (Segment segment : trace.segmentsOf(allocations.device())) {
        const auto first = static_cast<std::uint32_t>(result.blocks.size());
        const BlockRange blocks = trace.segments.blocksOf(segment);
        result.blocks.insert(result.blocks.end(), blocks.begin(), blocks.end());
        segment.blocks = {first, static_cast<std::uint32_t>(result.blocks.size())};
        result.segments.push_back(segment);
    }
    result.recorded = true;
}

} // namespace

EndSegments segmentsAfter(const SegmentHistory& history, const LiveIndex& index, std::int64_t event)
{
    EndSegments end;
    const AllocationTable& allocations = history.allocations();
    std::vector<AllocationIndex> live;
    index.liveAt(event, live);
    end.state = history.at(event);
    if (event == allocations.eventCount() - 1 && doRecordedSegmentsMatch(allocations, live))
        copyRecorded(allocations, end);
    else
        Layout(history, live, end).build();
    return end;
}

} // namespace highwater

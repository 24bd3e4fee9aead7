#include "core/analysis/usage/allocations.h"

#include <algorithm>

#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/interruption.h"
#include "core/trace/summary/summary_document.h"

namespace highwater {

AllocationTable::AllocationTable(const Trace& trace, DeviceIndex device)
    : AllocationTable(trace, device, trace.devices[device].quantity)
{
}

AllocationTable::AllocationTable(const Trace& trace, DeviceIndex device, Quantity quantity)
    : m_trace(&trace)
    , m_device(device)
    , m_quantity(quantity)
    , m_privateSegments(trace, device)
{
    const RowRange segments = trace.devices[device].segments;
    for (std::uint32_t s = segments.first; s < segments.last; ++s)
        m_segmentsByAddress.push_back(s);
    std::ranges::stable_sort(m_segmentsByAddress, [&](std::uint32_t a, std::uint32_t b) {
        return trace.segments.segments.address(a) < trace.segments.segments.address(b);
    });
    addUntouched();
    addFreedOlder();
    m_olderCount = m_size.size();
    addBorn();
    findFreeStackOrigin();
    if (quantity == Quantity::Allocated && trace.devices[device].quantity == Quantity::Requested)
        useBlockSizes();
}

void AllocationTable::useBlockSizes()
{
    const RoundingSettings settings = roundingSettings(m_trace->metadata);
    PackedColumn<Bytes> occupied;
    for (AllocationIndex i = 0; i < size(); ++i) {
        const Bytes block = blockBytes(i);
        m_hasInferred = m_hasInferred || block < 0;
        occupied.push_back(block >= 0 ? block : roundedSize(m_size[i], settings));
    }
    m_size = std::move(occupied);
}

/// Finds out whether free events have the stack of the allocation (recorded with context="alloc") or their
/// own stack ("all"), because the file does not contain the setting. It was "alloc" if both stacks are equal
/// in the first 100 pairs with stacks. A summary contains the answer.
void AllocationTable::findFreeStackOrigin()
{
    if (const auto facts = readSummaryStackFacts(m_trace->metadata)) {
        m_freesCarryAllocationStacks = facts->freesCarryAllocationStacks;
        return;
    }
    constexpr int enoughPairs = 100;
    int pairs = 0;
    for (auto i = static_cast<AllocationIndex>(m_olderCount); i < size() && pairs < enoughPairs; ++i) {
        if (m_death[i] == kNeverFreed || !isFreeAction(m_trace->events.action[row(m_death[i])]))
            continue;
        const StackId freed = m_trace->events.stack[row(m_death[i])];
        if (!m_trace->stacks.hasFrames(freed))
            continue;
        if (freed != stack(i))
            return;
        ++pairs;
    }
    m_freesCarryAllocationStacks = pairs > 0;
}

void AllocationTable::add(std::int32_t birth, std::int32_t death, Bytes size)
{
    m_birth.push_back(birth);
    m_death.push_back(death);
    m_size.push_back(size);
}

void AllocationTable::addUntouched()
{
    m_untouched = m_trace->pairings[m_device].untouchedBlocks;
    const BlockTable& blocks = m_trace->segments.blocks;
    const auto address = [&](std::uint32_t block) { return blocks.address(block); };
    if (!std::ranges::is_sorted(m_untouched, {}, address)) {
        m_sortedUntouched.assign(m_untouched.begin(), m_untouched.end());
        std::ranges::stable_sort(m_sortedUntouched, {}, address);
        m_untouched = m_sortedUntouched;
    }
    for (const std::uint32_t block : m_untouched)
        add(kBeforeTrace, kNeverFreed, blocks.requestedSize(block));
}

void AllocationTable::addFreedOlder()
{
    const PackedColumn<std::int32_t>& partner = m_trace->pairings[m_device].partner;
    InterruptionCounter interruption;
    for (std::int64_t event = eventCount() - 1; event >= 0; --event) {
        interruption.round();
        if (partner[static_cast<std::size_t>(event)] == EventPairing::kBeforeTrace)
            add(kBeforeTrace, static_cast<std::int32_t>(event), m_trace->events.size[row(event)]);
    }
}

void AllocationTable::addBorn()
{
    const PackedColumn<std::int32_t>& partner = m_trace->pairings[m_device].partner;
    InterruptionCounter interruption;
    for (std::int64_t event = 0; event < eventCount(); ++event) {
        interruption.round();
        if (!isAllocationAction(m_trace->events.action[row(event)]))
            continue;
        const std::int32_t end = partner[static_cast<std::size_t>(event)];
        add(static_cast<std::int32_t>(event), end == EventPairing::kNone ? kNeverFreed : end,
            m_trace->events.size[row(event)]);
    }
}

std::optional<Block> AllocationTable::blockOf(AllocationIndex i) const
{
    const BlockTable& blocks = m_trace->segments.blocks;
    if (i < m_untouched.size())
        return blocks[m_untouched[i]];
    if (m_death[i] != kNeverFreed)
        return std::nullopt;
    const Address start = address(i);
    const std::optional<std::uint32_t> segment = segmentAt(start);
    if (!segment)
        return std::nullopt;
    const RowRange rows = m_trace->segments.segments.blocks(*segment);
    const std::uint32_t found = blocks.firstFrom(start, rows);
    if (found == rows.last || blocks.address(found) != start || !blocks[found].isLive())
        return std::nullopt;
    return blocks[found];
}

std::optional<std::uint32_t> AllocationTable::segmentAt(Address address) const
{
    const SegmentRows& segments = m_trace->segments.segments;
    auto after = std::upper_bound(m_segmentsByAddress.begin(), m_segmentsByAddress.end(), address,
        [&](Address wanted, std::uint32_t s) { return wanted < segments.address(s); });
    if (after == m_segmentsByAddress.begin())
        return std::nullopt;
    const std::uint32_t segment = *(after - 1);
    const bool isInside
        = address - segments.address(segment) < static_cast<Address>(segments.totalSize(segment));
    return isInside ? std::optional(segment) : std::nullopt;
}

Address AllocationTable::address(AllocationIndex i) const
{
    if (i < m_untouched.size())
        return m_trace->segments.blocks.address(m_untouched[i]);
    return m_trace->events.address[row(m_birth[i] >= 0 ? m_birth[i] : m_death[i])];
}

StackId AllocationTable::stack(AllocationIndex i) const
{
    if (i < m_untouched.size())
        return m_trace->segments.blocks.stack(m_untouched[i]);
    return m_trace->events.stack[row(m_birth[i] >= 0 ? m_birth[i] : m_death[i])];
}

StackOrigin AllocationTable::stackOrigin(AllocationIndex i) const
{
    if (i < m_untouched.size())
        return StackOrigin::Block;
    return m_birth[i] >= 0 || m_freesCarryAllocationStacks ? StackOrigin::Allocation : StackOrigin::Free;
}

StreamId AllocationTable::stream(AllocationIndex i) const
{
    if (i >= m_untouched.size())
        return m_trace->events.stream[row(m_birth[i] >= 0 ? m_birth[i] : m_death[i])];
    const std::optional<std::uint32_t> segment = segmentAt(address(i));
    return segment ? m_trace->segments.segments.stream(*segment) : StreamId();
}

PoolId AllocationTable::pool(AllocationIndex i) const
{
    if (i >= m_untouched.size()) {
        const PoolId recorded = m_trace->events.pool.get(row(m_birth[i] >= 0 ? m_birth[i] : m_death[i]));
        if (!recorded.isNone())
            return recorded;
    }
    if (m_death[i] != kNeverFreed && m_privateSegments.isReservedAfter(address(i), m_birth[i])) {
        const auto defaultPool = std::ranges::find_if(m_trace->pools, &PoolKey::isDefault);
        return defaultPool == m_trace->pools.end()
            ? PoolId()
            : PoolId(static_cast<std::size_t>(defaultPool - m_trace->pools.begin()));
    }
    const std::optional<std::uint32_t> segment = segmentAt(address(i));
    return segment ? m_trace->segments.segments.pool(*segment) : PoolId();
}

StringId AllocationTable::recordedCategory(AllocationIndex i) const
{
    if (i < m_untouched.size())
        return m_trace->segments.blocks.category(m_untouched[i]);
    return m_trace->events.category.get(row(m_birth[i] >= 0 ? m_birth[i] : m_death[i]));
}

Bytes AllocationTable::recordedBytes(AllocationIndex i) const
{
    if (i < m_untouched.size())
        return m_trace->segments.blocks.requestedSize(m_untouched[i]);
    return m_trace->events.size[row(m_birth[i] >= 0 ? m_birth[i] : m_death[i])];
}

Bytes AllocationTable::blockBytes(AllocationIndex i) const
{
    const std::optional<Block> block = blockOf(i);
    return block ? block->size : -1;
}

BlockState AllocationTable::finalState(AllocationIndex i) const
{
    const std::optional<Block> block = blockOf(i);
    return block ? block->state : BlockState::Inactive;
}

std::vector<AllocationIndex> AllocationTable::liveAt(std::int64_t event) const
{
    const auto born
        = static_cast<AllocationIndex>(std::ranges::upper_bound(m_birth, event) - m_birth.begin());
    const auto outlives = [event](std::int32_t death) { return event < death; };
    std::vector<AllocationIndex> live; // counted first, since growing would need twice the memory
    live.reserve(static_cast<std::size_t>(std::count_if(m_death.begin(), m_death.begin() + born, outlives)));
    for (AllocationIndex i = 0; i < born; ++i)
        if (outlives(m_death[i]))
            live.push_back(i);
    return live;
}

AllocationIndex AllocationTable::ofEvent(std::int64_t event) const
{
    const auto allocationBornAt = [this](std::int64_t wanted) {
        const std::int32_t* first = m_birth.begin() + m_olderCount;
        const std::int32_t* found = std::lower_bound(first, m_birth.end(), wanted);
        return found != m_birth.end() && *found == wanted
            ? static_cast<AllocationIndex>(found - m_birth.begin())
            : kNoAllocation;
    };
    const Action action = m_trace->events.action[row(event)];
    if (isAllocationAction(action))
        return allocationBornAt(event);
    const std::int32_t partner = m_trace->pairings[m_device].partner[static_cast<std::size_t>(event)];
    if (!isFreeAction(action) || partner == EventPairing::kUnknown)
        return kNoAllocation;
    if (partner != EventPairing::kBeforeTrace)
        return allocationBornAt(partner);
    // Older allocations that are freed are ordered by death, latest first.
    const std::int32_t* first = m_death.begin() + m_untouched.size();
    const std::int32_t* last = m_death.begin() + m_olderCount;
    const std::int32_t* found = std::lower_bound(
        first, last, event, [](std::int32_t death, std::int64_t wanted) { return death > wanted; });
    return static_cast<AllocationIndex>(found - m_death.begin());
}

} // namespace highwater

#include "core/analysis/allocator/allocator_blocks.h"

#include <algorithm>

#include "core/analysis/allocator/allocator_rules.h"

namespace highwater {

namespace {

constexpr std::uint32_t kSegmentMask = (1U << 30) - 1; // width of SimulatedBlock::segment

/// True if space with this use may serve a request.
bool isVacant(BlockUse use)
{
    return use == BlockUse::Free || use == BlockUse::Unmapped;
}

} // namespace

std::uint32_t AllocatorBlocks::findPool(PoolId id, StreamId stream, bool isSmall)
{
    const auto matches = [&](const BlockPool& pool) {
        return pool.isSmall == isSmall && pool.stream == stream && pool.id == id;
    };
    if (m_lastPool < m_pools.size() && matches(m_pools[m_lastPool]))
        return m_lastPool;
    const auto key = std::make_tuple(id, stream, isSmall);
    const auto [entry, isNewPool] = m_poolOf.try_emplace(key, static_cast<std::uint32_t>(m_pools.size()));
    if (isNewPool) {
        m_pools.emplace_back();
        m_pools.back().id = id;
        m_pools.back().stream = stream;
        m_pools.back().isSmall = isSmall;
    }
    return m_lastPool = entry->second;
}

BlockIndex AllocatorBlocks::storeBlock(const SimulatedBlock& block)
{
    if (m_unusedBlocks.empty()) {
        m_blocks.push_back(block);
        return static_cast<BlockIndex>(m_blocks.size() - 1);
    }
    const BlockIndex index = m_unusedBlocks.back();
    m_unusedBlocks.pop_back();
    m_blocks[index] = block;
    return index;
}

BlockIndex AllocatorBlocks::addSegment(
    std::uint32_t pool, Address begin, Bytes size, bool expandable, BlockUse use)
{
    auto segment = static_cast<std::uint32_t>(m_segments.size());
    if (m_unusedSegments.empty()) {
        m_segments.emplace_back();
    } else {
        segment = m_unusedSegments.back();
        m_unusedSegments.pop_back();
    }
    SimulatedBlock block;
    block.address = begin;
    block.segment = segment & kSegmentMask;
    block.use = use;
    const BlockIndex first = storeBlock(block);
    m_segments[segment] = {begin, size, first, pool, expandable, ++m_lastSerial};
    if (expandable) {
        m_pools[pool].expandableSegments.insert(segment);
        FreeRanges& vacant = m_vacant[segment];
        if (isVacant(use))
            vacant.add({begin, size, first});
    }
    return first;
}

void AllocatorBlocks::removeSegment(BlockIndex only)
{
    const std::uint32_t segment = m_blocks[only].segment;
    if (m_segments[segment].expandable) {
        m_pools[m_segments[segment].pool].expandableSegments.erase(segment);
        m_vacant.erase(segment);
    }
    m_segments[segment].first = kNoBlock;
    m_unusedSegments.push_back(segment);
    m_unusedBlocks.push_back(only);
}

BlockIndex AllocatorBlocks::split(BlockIndex block, Bytes size)
{
    SimulatedBlock rest = m_blocks[block];
    rest.address += static_cast<Address>(size);
    rest.previous = block;
    const BlockIndex index = storeBlock(rest);
    m_blocks[block].next = index;
    if (rest.next != kNoBlock)
        m_blocks[rest.next].previous = index;
    return index;
}

void AllocatorBlocks::setUse(BlockIndex block, BlockUse use)
{
    SimulatedBlock& changed = m_blocks[block];
    const bool wasVacant = isVacant(changed.use);
    changed.use = use;
    if (wasVacant == isVacant(use) || !m_segments[changed.segment].expandable)
        return;
    FreeRanges& vacant = m_vacant[changed.segment];
    if (wasVacant)
        vacant.remove(changed.address, sizeOf(block), changed.next);
    else
        vacant.add({changed.address, sizeOf(block), block});
}

void AllocatorBlocks::absorbNext(BlockIndex block)
{
    const BlockIndex absorbed = m_blocks[block].next;
    m_blocks[block].next = m_blocks[absorbed].next;
    if (m_blocks[absorbed].next != kNoBlock)
        m_blocks[m_blocks[absorbed].next].previous = block;
    m_unusedBlocks.push_back(absorbed);
}

/// Changes the use of the block and merges it with its neighbours of the same use. The neighbours leave the
/// free lists. Returns the merged block.
BlockIndex AllocatorBlocks::mergeWithNeighbours(BlockIndex block, BlockUse use)
{
    setUse(block, use);
    const auto joins = [&](BlockIndex other) { return other != kNoBlock && m_blocks[other].use == use; };
    if (const BlockIndex next = m_blocks[block].next; joins(next)) {
        unlist(next);
        absorbNext(block);
    }
    if (const BlockIndex previous = m_blocks[block].previous; joins(previous)) {
        unlist(previous);
        absorbNext(previous);
        return previous;
    }
    return block;
}

BlockIndex AllocatorBlocks::makeFree(BlockIndex block)
{
    block = mergeWithNeighbours(block, BlockUse::Free);
    const std::uint32_t index = segmentOf(block).pool;
    BlockPool& pool = m_pools[index];
    m_blocks[block].freeSince = m_searches;
    if (!m_hidesExpandable || !segmentOf(block).expandable)
        pool.free.insert(keyOf(block));
    if (isReleasable(block)) {
        pool.releasable.insert(keyOf(block));
        m_releasablePools.insert(index);
    }
    ++m_freeCount;
    return block;
}

BlockIndex AllocatorBlocks::makeUnmapped(BlockIndex block)
{
    block = mergeWithNeighbours(block, BlockUse::Unmapped);
    m_pools[segmentOf(block).pool].unmapped.insert({0, m_blocks[block].address, block});
    return block;
}

void AllocatorBlocks::unlist(BlockIndex block)
{
    BlockPool& pool = m_pools[segmentOf(block).pool];
    if (m_blocks[block].use == BlockUse::Unmapped) {
        pool.unmapped.erase({0, m_blocks[block].address, block});
        return;
    }
    pool.free.erase(keyOf(block));
    if (pool.releasable.erase(keyOf(block)) > 0 && pool.releasable.empty())
        m_releasablePools.erase(segmentOf(block).pool);
    --m_freeCount;
}

bool AllocatorBlocks::isReleasable(BlockIndex block) const
{
    if (!segmentOf(block).expandable)
        return m_blocks[block].previous == kNoBlock && m_blocks[block].next == kNoBlock;
    const auto [begin, end] = wholePages(block);
    return begin < end;
}

std::pair<Address, Address> AllocatorBlocks::wholePages(BlockIndex block) const
{
    const Address base = segmentOf(block).begin;
    const Bytes page = pageSize(poolOf(block).isSmall, m_largePage);
    const auto offset = static_cast<Bytes>(m_blocks[block].address - base);
    const Bytes begin = roundedUp(offset, page);
    const Bytes end = (offset + sizeOf(block)) / page * page;
    return {base + static_cast<Address>(begin), base + static_cast<Address>(std::max(begin, end))};
}

Bytes AllocatorBlocks::reach(BlockIndex block) const
{
    const BlockIndex next = m_blocks[block].next;
    const bool grows = next != kNoBlock && m_blocks[next].use == BlockUse::Unmapped;
    return sizeOf(block) + (grows ? sizeOf(next) : 0);
}

BlockIndex AllocatorBlocks::findLowestSpace(std::uint32_t pool, Bytes size) const
{
    FreeBlock lowest{0, std::numeric_limits<Address>::max(), kNoBlock};
    BlockIndex found = kNoBlock;
    for (const std::uint32_t segment : m_pools[pool].expandableSegments) {
        const FreeRanges& vacant = m_vacant.at(segment);
        for (auto range = vacant.lowest(size); range; range = vacant.lowest(size, range->end())) {
            // Free neighbours are merged, so only an unmapped block can follow a free one here.
            const bool isFree = m_blocks[range->first].use == BlockUse::Free;
            const BlockIndex unmapped = isFree ? m_blocks[range->first].next : range->first;
            if (unmapped == kNoBlock || m_blocks[unmapped].use != BlockUse::Unmapped)
                continue;
            if (const FreeBlock key{0, m_blocks[unmapped].address, unmapped}; key < lowest) {
                lowest = key;
                found = range->first;
            }
            break;
        }
    }
    return found;
}

} // namespace highwater

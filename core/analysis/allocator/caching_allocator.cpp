#include "core/analysis/allocator/caching_allocator.h"

#include <algorithm>

#include "core/analysis/allocator/allocator_rules.h"

namespace highwater {

CachingAllocator::CachingAllocator(
    const AllocatorSettings& settings, std::size_t allocations, const DriverFacts& driver)
    : m_settings(settings)
    , m_blocks(settings.largeSegment, settings.isOldestSegmentFirst)
    , m_blockOf(allocations, kNoBlock)
    , m_nextAddress(kOwnAddresses)
    , m_driver(driver)
{
    if (settings.memoryFraction > 0 && driver.deviceMemory > 0)
        m_fractionLimit
            = static_cast<Bytes>(settings.memoryFraction * static_cast<double>(driver.deviceMemory));
    else
        m_settings.memoryFraction = 0;
    if (!settings.expandableSegments)
        m_blocks.hideExpandable();
}

BlockIndex CachingAllocator::adopt(
    const MemoryRequest& poolAndStream, bool isSmall, Address begin, Bytes size, bool expandable)
{
    if (expandable)
        size = static_cast<Bytes>(
            std::min(static_cast<Address>(std::max(size, addressSpace(isSmall))), ~begin));
    else
        m_plainSegments[begin] = size;
    return m_blocks.addSegment(m_blocks.findPool(poolAndStream.pool, poolAndStream.stream, isSmall), begin,
        size, expandable, BlockUse::Allocated);
}

void CachingAllocator::adoptOwner(BlockIndex block, AllocationIndex owner)
{
    m_blocks.setUse(block, BlockUse::Allocated);
    m_blockOf[owner] = block;
    m_reserved += m_blocks.sizeOf(block);
    m_allocated += m_blocks.sizeOf(block);
}

void CachingAllocator::adoptFree(BlockIndex block)
{
    m_reserved += m_blocks.sizeOf(block);
    m_blocks.makeFree(block);
}

bool CachingAllocator::allocate(AllocationIndex owner, const MemoryRequest& request)
{
    const BlockIndex block = takeBlock(request);
    if (block != kNoBlock)
        m_blockOf[owner] = block;
    return block != kNoBlock;
}

bool CachingAllocator::tryRequest(const MemoryRequest& request, bool keep)
{
    const BlockIndex block = takeBlock(request);
    if (block != kNoBlock && !keep)
        returnBlock(block);
    return block != kNoBlock;
}

BlockIndex CachingAllocator::takeBlock(const MemoryRequest& request)
{
    if (request.bytes < 0 || request.bytes > DriverFacts::kNoLimit)
        return kNoBlock;
    const Search search = searchFor(request);
    if (const BlockPool& pool = m_blocks.pools()[search.pool]; !pool.isSmall && isDefault(pool))
        m_blocks.countSearch();
    BlockIndex block = findFree(search);
    if (block == kNoBlock)
        block = getFromDriver(search);
    return block == kNoBlock ? kNoBlock : handOut(search, block);
}

CachingAllocator::Search CachingAllocator::searchFor(const MemoryRequest& request)
{
    const Bytes rounded = roundedSize(request.bytes, m_settings.rounding);
    return {m_blocks.findPool(request.pool, request.stream, rounded <= kSmallRequest), rounded, request};
}

BlockIndex CachingAllocator::findFree(const Search& search) const
{
    const BlockPool& pool = m_blocks.pools()[search.pool];
    auto found = pool.free.lower_bound({search.rounded, 0, 0});
    if (found == pool.free.end())
        return kNoBlock;
    if (m_settings.expandableSegments) {
        // A block that can grow counts with the size that it can grow to.
        for (auto next = std::next(found); next != pool.free.end(); found = next++)
            if (!m_blocks.segmentOf(found->block).expandable
                || m_blocks.reach(next->block) >= m_blocks.reach(found->block))
                break;
    }
    return mayServe(found->size, search.rounded, m_settings) ? found->block : kNoBlock;
}

BlockIndex CachingAllocator::getFromDriver(const Search& search)
{
    if (m_settings.collectsGarbage())
        collectGarbage();
    if (isRejected(search))
        return kNoBlock;
    BlockIndex block = askDriver(search);
    if (block == kNoBlock && releaseOversized(search))
        block = askDriver(search);
    if (block == kNoBlock) {
        ++m_calls.flushes;
        flush();
        block = askDriver(search);
    }
    return block;
}

BlockIndex CachingAllocator::handOut(const Search& search, BlockIndex block)
{
    m_blocks.unlist(block);
    const BlockPool& pool = m_blocks.pools()[search.pool];
    if (isWorthSplitting(m_blocks.sizeOf(block), search.rounded, pool.isSmall, pool.id, m_settings)) {
        const BlockIndex rest = m_blocks.split(block, search.rounded);
        m_blocks.setUse(block, BlockUse::Allocated);
        m_blocks.makeFree(rest);
    }
    m_blocks.setUse(block, BlockUse::Allocated);
    m_allocated += m_blocks.sizeOf(block);
    return block;
}

void CachingAllocator::returnBlock(BlockIndex block)
{
    m_allocated -= m_blocks.sizeOf(block);
    m_blocks.makeFree(block);
}

void CachingAllocator::requestFree(AllocationIndex owner)
{
    if (m_blockOf[owner] == kNoBlock)
        return;
    m_blocks.setUse(m_blockOf[owner], BlockUse::Pending);
    m_pending.insert(owner);
}

void CachingAllocator::free(AllocationIndex owner)
{
    const BlockIndex block = m_blockOf[owner];
    if (block == kNoBlock)
        return;
    if (m_blocks.block(block).use == BlockUse::Pending)
        m_pending.erase(owner);
    m_blockOf[owner] = kNoBlock;
    returnBlock(block);
}

} // namespace highwater

#include <algorithm>

#include "core/analysis/allocator/caching_allocator.h"

#include "core/analysis/allocator/allocator_rules.h"

/// The part of the allocator that returns memory to the driver: `release_cached_blocks`, `unmap_block`,
/// `release_available_cached_blocks` and `garbage_collect_cached_blocks` of the original.
namespace highwater {

/// Waits for pending frees of other streams, then returns unused segments and pages to the driver: those of
/// the default pool, and those of private pools that no graph uses any more.
void CachingAllocator::flush()
{
    while (!m_pending.empty())
        free(*m_pending.begin());
    releasePools(SizeClass::Large, PoolKind::Default);
    releasePools(SizeClass::Small, PoolKind::Default);
    if (m_releasablePools.empty())
        return;
    releasePools(SizeClass::Small, PoolKind::Private);
    releasePools(SizeClass::Large, PoolKind::Private);
}

void CachingAllocator::releasePools(SizeClass size, PoolKind kind)
{
    const std::set<std::uint32_t> pools = m_blocks.releasablePools();
    for (const std::uint32_t index : pools) {
        const BlockPool& pool = m_blocks.pools()[index];
        const bool isChosen
            = kind == PoolKind::Private ? m_releasablePools.contains(pool.id) : isDefault(pool);
        if (isChosen && pool.isSmall == (size == SizeClass::Small))
            releasePool(index);
    }
}

void CachingAllocator::releasePool(std::uint32_t pool)
{
    const std::set<FreeBlock>& releasable = m_blocks.pools()[pool].releasable;
    const std::vector<FreeBlock> blocks(releasable.begin(), releasable.end());
    for (const FreeBlock& free : blocks) {
        if (m_blocks.segmentOf(free.block).expandable)
            unmapPages(free.block);
        else
            releaseSegment(free.block);
    }
}

void CachingAllocator::releaseSegment(BlockIndex onlyBlock)
{
    m_blocks.unlist(onlyBlock);
    m_reserved -= m_blocks.sizeOf(onlyBlock);
    m_plainSegments.erase(m_blocks.block(onlyBlock).address);
    m_blocks.removeSegment(onlyBlock);
    ++m_calls.releases;
}

/// Returns the whole pages inside a free block to the driver; its ends stay mapped and free. Removes a
/// segment that has no page left.
void CachingAllocator::unmapPages(BlockIndex block)
{
    const auto [begin, end] = m_blocks.wholePages(block);
    const Address blockBegin = m_blocks.block(block).address;
    m_blocks.unlist(block);
    BlockIndex middle = block;
    if (blockBegin < begin)
        middle = m_blocks.split(block, static_cast<Bytes>(begin - blockBegin));
    const auto length = static_cast<Bytes>(end - begin);
    BlockIndex tail = kNoBlock;
    if (length < m_blocks.sizeOf(middle))
        tail = m_blocks.split(middle, length);
    m_blocks.setUse(middle, BlockUse::Allocated);
    if (middle != block)
        m_blocks.makeFree(block);
    if (tail != kNoBlock)
        m_blocks.makeFree(tail);
    m_reserved -= length;
    ++m_calls.releases;
    const BlockIndex unmapped = m_blocks.makeUnmapped(middle);
    if (m_blocks.block(unmapped).previous == kNoBlock && m_blocks.block(unmapped).next == kNoBlock) {
        m_blocks.unlist(unmapped);
        m_blocks.removeSegment(unmapped);
    }
}

/// With max_split_size, gives the driver one unused segment that is large enough, else smaller ones of at
/// least that size, from the largest down. Returns false if the setting is not given or these segments
/// together are smaller than needed; they are released all the same.
bool CachingAllocator::releaseOversized(const Search& search)
{
    if (m_settings.maxSplitSize == AllocatorSettings::kUnlimited)
        return false;
    const auto isWhole = [this](BlockIndex block) {
        return !m_blocks.segmentOf(block).expandable && m_blocks.block(block).previous == kNoBlock
            && m_blocks.block(block).next == kNoBlock;
    };
    const Bytes neededBytes = std::max(search.rounded, m_settings.maxSplitSize);
    const std::set<FreeBlock>& free = m_blocks.pools()[search.pool].free;
    const auto smallestFitting = free.lower_bound({neededBytes, 0, 0});
    if (smallestFitting != free.end() && isWhole(smallestFitting->block)) {
        releaseSegment(smallestFitting->block);
        return true;
    }
    std::vector<BlockIndex> segments;
    Bytes sum = 0;
    for (auto candidate = std::make_reverse_iterator(smallestFitting);
         candidate != free.rend() && sum < neededBytes && candidate->size >= m_settings.maxSplitSize;
         ++candidate) {
        if (!isWhole(candidate->block))
            continue;
        segments.push_back(candidate->block);
        sum += candidate->size;
    }
    for (const BlockIndex block : segments)
        releaseSegment(block);
    return sum >= neededBytes;
}

/// Returns the unused segments that garbage collection may take: cudaMalloc segments in the large default
/// pools.
std::vector<BlockIndex> CachingAllocator::collectableSegments() const
{
    std::vector<BlockIndex> blocks;
    for (const std::uint32_t index : m_blocks.releasablePools()) {
        const BlockPool& pool = m_blocks.pools()[index];
        if (pool.isSmall || !isDefault(pool))
            continue;
        for (const FreeBlock& free : pool.releasable)
            if (!m_blocks.segmentOf(free.block).expandable)
                blocks.push_back(free.block);
    }
    return blocks;
}

/// Releases unused large segments of at least the average age until the reserved bytes are down to the
/// threshold. Age is counted in searches of the large default pools.
void CachingAllocator::collectGarbage()
{
    const auto threshold
        = static_cast<Bytes>(m_settings.garbageCollectionThreshold * static_cast<double>(m_fractionLimit));
    const Bytes target = m_reserved - threshold;
    const Bytes reservedBefore = m_reserved;
    std::vector<BlockIndex> remaining = collectableSegments();
    while (reservedBefore - m_reserved < target && !remaining.empty()) {
        std::int64_t ageSum = 0;
        for (const BlockIndex block : remaining)
            ageSum += m_blocks.ageOf(block);
        const double average = static_cast<double>(ageSum) / static_cast<double>(remaining.size());
        const auto firstOld = std::stable_partition(remaining.begin(), remaining.end(),
            [&](BlockIndex block) { return static_cast<double>(m_blocks.ageOf(block)) < average; });
        if (firstOld == remaining.end())
            return;
        std::for_each(firstOld, remaining.end(), [this](BlockIndex block) { releaseSegment(block); });
        remaining.erase(firstOld, remaining.end());
    }
}

} // namespace highwater

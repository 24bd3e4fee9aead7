#include <algorithm>

#include "core/analysis/allocator/allocator_rules.h"
#include "core/analysis/allocator/caching_allocator.h"

/// The part of the allocator that gets memory from the driver: `alloc_block`, `find_expandable_block` and
/// `map_block` of the original.
namespace highwater {

namespace {

/// Address space of an expandable segment if the device's memory is unknown or very large.
constexpr Bytes kAmpleAddresses = kTiB;

} // namespace

bool CachingAllocator::mayReserve(Bytes bytes) const
{
    return bytes <= m_driver.limit - m_reserved;
}

/// True if `throw_on_cudamalloc_oom` refuses the request without asking the driver. As in PyTorch, a memory
/// fraction is checked before.
bool CachingAllocator::isRejected(const Search& search) const
{
    return m_settings.throwOnCudaMallocOom && m_settings.memoryFraction == 0 && m_driver.deviceMemory > 0
        && segmentSize(search.rounded, m_settings.largeSegment) > m_driver.deviceMemory - m_reserved;
}

/// Gets a free block for the request from the driver; kNoBlock if memory runs out. The memory fraction is
/// checked against the size of a plain segment even if pages are mapped, as in PyTorch; the pages may need
/// more.
BlockIndex CachingAllocator::askDriver(const Search& search)
{
    if (segmentSize(search.rounded, m_settings.largeSegment) > m_fractionLimit - m_reserved)
        return kNoBlock;
    return m_settings.usesPages(m_blocks.pools()[search.pool].id) ? growPages(search) : newSegment(search);
}

BlockIndex CachingAllocator::newSegment(const Search& search)
{
    const Bytes size = segmentSize(search.rounded, m_settings.largeSegment);
    if (!mayReserve(size))
        return kNoBlock;
    const Address address = addressFor(search.request, size);
    m_plainSegments[address] = size;
    m_reserved += size;
    ++m_calls.allocations;
    return m_blocks.makeFree(m_blocks.addSegment(search.pool, address, size, false, BlockUse::Free));
}

/// Chooses the address of a new segment: next to the others in the driver's direction if that is known, else
/// where the recorded run got a segment of the same size, else a new address.
Address CachingAllocator::addressFor(const MemoryRequest& request, Bytes size)
{
    const auto length = static_cast<Address>(size);
    if (m_driver.direction < 0 && !m_plainSegments.empty() && m_plainSegments.begin()->first > length)
        return m_plainSegments.begin()->first - length;
    if (m_driver.direction > 0 && !m_plainSegments.empty()) {
        const auto& [lastBegin, lastSize] = *m_plainSegments.rbegin();
        return lastBegin + static_cast<Address>(lastSize);
    }
    for (const DriverAddress& recorded : request.recorded)
        if (recorded.size == size && isVacant(recorded.address, size))
            return recorded.address;
    const Address address = m_nextAddress;
    m_nextAddress += static_cast<Address>(size);
    return address;
}

/// True if no plain segment overlaps this range, and no address of `kOwnAddresses` in use.
bool CachingAllocator::isVacant(Address begin, Bytes size) const
{
    const Address end = begin + static_cast<Address>(size);
    if (end < begin || (end > kOwnAddresses && begin < m_nextAddress))
        return false;
    const auto nextSegment = m_plainSegments.lower_bound(end);
    if (nextSegment == m_plainSegments.begin())
        return true;
    const auto& [address, previousSize] = *std::prev(nextSegment);
    return address + static_cast<Address>(previousSize) <= begin;
}

/// Maps pages until one free block holds the request, and returns that block. Returns kNoBlock if memory or
/// addresses run out; pages mapped so far stay mapped.
BlockIndex CachingAllocator::growPages(const Search& search)
{
    if (!mayReserve(kSmallestBlock))
        return kNoBlock;
    BlockIndex block = m_blocks.findLowestSpace(search.pool, search.rounded);
    if (block == kNoBlock)
        block = reserveAddresses(search);
    if (block == kNoBlock)
        return kNoBlock;
    if (m_blocks.block(block).use == BlockUse::Unmapped)
        block = mapPages(block, search.rounded);
    while (block != kNoBlock && m_blocks.sizeOf(block) < search.rounded)
        block = mapPages(m_blocks.block(block).next, search.rounded - m_blocks.sizeOf(block));
    return block;
}

/// Returns the size of an expandable segment's address space: by the settings, else by the driver, else the
/// default.
Bytes CachingAllocator::addressSpace(bool isSmall) const
{
    if (const Bytes reserve = m_settings.segmentReserveOn(m_driver.deviceMemory); reserve > 0)
        return roundedUp(reserve, pageSize(isSmall, m_settings.largeSegment));
    if (m_driver.addressSpace > 0)
        return m_driver.addressSpace;
    const Bytes memory = m_driver.deviceMemory;
    return memory > 0 && memory < kAmpleAddresses / 2 ? roundedUp(memory / 8 * 9, m_settings.largeSegment)
                                                      : kAmpleAddresses;
}

/// Reserves the address space of a new expandable segment. A request that exceeds the usual size gets more,
/// so that it fails for lack of memory, not of addresses; kNoBlock if it exceeds a size that was set.
BlockIndex CachingAllocator::reserveAddresses(const Search& search)
{
    const auto recorded = search.request.recorded;
    const bool isRecorded = !recorded.empty() && recorded.front().address < kOwnAddresses;
    const Address begin = isRecorded ? recorded.front().address : m_nextAddress;
    const Bytes space = addressSpace(m_blocks.pools()[search.pool].isSmall);
    if (search.rounded > space && m_settings.segmentReserveOn(m_driver.deviceMemory) > 0)
        return kNoBlock;
    const Bytes size = std::max(space, roundedUp(search.rounded, m_settings.largeSegment));
    if (!isRecorded)
        m_nextAddress += static_cast<Address>(size);
    const BlockIndex block = m_blocks.addSegment(search.pool, begin, size, true, BlockUse::Unmapped);
    return m_blocks.makeUnmapped(block);
}

/// Maps at least `size` bytes from the beginning of an unmapped block, or all of it, in whole pages. Returns
/// the free block that contains the new pages; kNoBlock if the driver has no more memory.
BlockIndex CachingAllocator::mapPages(BlockIndex block, Bytes size)
{
    const Bytes bytesToMap = std::min(size, m_blocks.sizeOf(block));
    const Bytes page = pageSize(m_blocks.poolOf(block).isSmall, m_settings.largeSegment);
    const Bytes length = std::min(roundedUp(bytesToMap, page), m_blocks.sizeOf(block));
    if (!mayReserve(length))
        return kNoBlock;
    m_blocks.unlist(block);
    m_blocks.setUse(block, BlockUse::Allocated);
    if (length < m_blocks.sizeOf(block)) {
        const BlockIndex rest = m_blocks.split(block, length);
        m_blocks.makeUnmapped(rest);
    }
    m_reserved += length;
    ++m_calls.allocations;
    return m_blocks.makeFree(block);
}

} // namespace highwater

#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/allocator/free_ranges.h"
#include "core/analysis/usage/allocations.h"
#include "core/base/column.h"

namespace highwater {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex kNoBlock = std::numeric_limits<BlockIndex>::max();

/// The use of a block in the simulated allocator.
enum class BlockUse : std::uint8_t
{
    Free,
    Allocated,
    Pending, ///< freed by the program, but another stream may still read it
    Unmapped, ///< address space of an expandable segment without memory
};

/// One block of a segment. A replay may keep a million of them, so each takes only 24 bytes and has no size:
/// it ends where the next block of its segment begins (see `sizeOf`).
struct SimulatedBlock
{
    Address address = 0;
    BlockIndex previous = kNoBlock; ///< neighbours in its segment
    BlockIndex next = kNoBlock;
    std::uint32_t freeSince = 0; ///< value of the search counter when it became free
    std::uint32_t segment : 30 = 0;
    BlockUse use : 2 = BlockUse::Free;
};
static_assert(sizeof(SimulatedBlock) == 24);

/// One cudaMalloc, or the address range of an expandable segment.
struct SimulatedSegment
{
    Address begin = 0;
    Bytes size = 0; ///< size of the address range
    BlockIndex first = kNoBlock; ///< kNoBlock once the segment was returned to the driver
    std::uint32_t pool = 0;
    bool expandable = false;
    std::uint32_t serial = 0; ///< segments are numbered as they are added, from 1

    bool isReserved() const { return first != kNoBlock; }
    Address end() const { return begin + static_cast<Address>(size); }
};

/// Orders free blocks as the allocator searches them: best fit first, then the oldest segment if that counts,
/// then the lowest address.
struct FreeBlock
{
    Bytes size = 0;
    Address address = 0;
    BlockIndex block = 0;
    std::uint32_t serial = 0; ///< serial of the segment; 0 where its age does not count

    auto operator<=>(const FreeBlock& other) const
    {
        return std::tie(size, serial, address, block)
            <=> std::tie(other.size, other.serial, other.address, other.block);
    }
};

/// Blocks that serve the same requests: those of one pool ID, one stream and one size class.
struct BlockPool
{
    PoolId id; ///< isNone() for the default pool
    StreamId stream;
    bool isSmall = false;
    std::set<FreeBlock> free; ///< free blocks that a search may find
    /// The free blocks that can be returned to the driver: whole segments, or whole pages of expandable ones.
    std::set<FreeBlock> releasable;
    /// Unmapped blocks of expandable segments, by address (sizes are 0 here).
    std::set<FreeBlock> unmapped;
    std::set<std::uint32_t> expandableSegments; ///< by index
};

/// Segments divided into blocks without gaps or overlaps, and the free lists. The only allocator rule applied
/// here is that free neighbours are merged. Indices of blocks and segments are reused.
class AllocatorBlocks
{
public:
    /// `largePage` is the page size of expandable segments in the large pools. `isOldestFirst` makes the age
    /// of segments decide between free blocks of one size.
    explicit AllocatorBlocks(Bytes largePage, bool isOldestFirst = false)
        : m_isOldestFirst(isOldestFirst)
        , m_largePage(largePage)
    {
    }

    const SimulatedBlock& block(BlockIndex index) const { return m_blocks[index]; }
    /// Returns the size of a block, whose segment must not have been removed.
    Bytes sizeOf(BlockIndex block) const
    {
        const BlockIndex next = m_blocks[block].next;
        return static_cast<Bytes>(
            (next == kNoBlock ? segmentOf(block).end() : m_blocks[next].address) - m_blocks[block].address);
    }
    const std::vector<SimulatedSegment>& segments() const { return m_segments; }
    const std::vector<BlockPool>& pools() const { return m_pools; }
    const BlockPool& poolOf(BlockIndex block) const
    {
        return m_pools[m_segments[m_blocks[block].segment].pool];
    }
    const SimulatedSegment& segmentOf(BlockIndex block) const { return m_segments[m_blocks[block].segment]; }

    /// Returns the index of the pool for this ID, stream and size class, and creates it on first use. O(log
    /// pools).
    std::uint32_t findPool(PoolId id, StreamId stream, bool isSmall);
    /// Hides free blocks of expandable segments from searches, as the allocator does if the setting is turned
    /// off later. Must be called before the first segment is added.
    void hideExpandable() { m_hidesExpandable = true; }

    /// Adds a segment of one block and returns the block, which is not in a free list yet. With `use`
    /// Unmapped, the segment is address space without memory.
    BlockIndex addSegment(std::uint32_t pool, Address begin, Bytes size, bool expandable, BlockUse use);
    /// Removes a segment; its only block must not be in a free list.
    void removeSegment(BlockIndex only);
    /// Cuts the block to its first `size` bytes. Returns the remainder, which has the same use and is not in
    /// a free list.
    BlockIndex split(BlockIndex block, Bytes size);

    /// Sets the use of a block that is in no free list. Does not merge it. O(log blocks).
    void setUse(BlockIndex block, BlockUse use);
    /// Merges the block, which must not be in a free list, with its free neighbours and adds the result to
    /// the lists. Returns the merged block. O(log blocks).
    BlockIndex makeFree(BlockIndex block);
    /// Does for an unmapped block what `makeFree` does for a free one.
    BlockIndex makeUnmapped(BlockIndex block);
    /// Takes a free or unmapped block out of the lists.
    void unlist(BlockIndex block);

    /// Returns the begin and end of the whole pages inside a free block of an expandable segment; they are
    /// equal if there are none.
    std::pair<Address, Address> wholePages(BlockIndex block) const;
    /// Returns the size of the block plus the unmapped address space right after it.
    Bytes reach(BlockIndex block) const;
    /// Finds the lowest unmapped block of the pool, or the free block right before it, from which at least
    /// `size` bytes of its segment hold no live block; kNoBlock if there is none. O(expandable segments of
    /// the pool × log blocks).
    BlockIndex findLowestSpace(std::uint32_t pool, Bytes size) const;
    /// Returns the indices of the pools with memory that can be returned to the driver.
    const std::set<std::uint32_t>& releasablePools() const { return m_releasablePools; }
    /// Returns the age of a free block: the number of searches counted since it became free.
    std::uint32_t ageOf(BlockIndex block) const { return m_searches - m_blocks[block].freeSince; }
    void countSearch() { ++m_searches; }
    /// Returns the number of free blocks in all pools.
    std::int64_t freeCount() const { return m_freeCount; }

private:
    BlockIndex storeBlock(const SimulatedBlock& block);
    BlockIndex mergeWithNeighbours(BlockIndex block, BlockUse use);
    void absorbNext(BlockIndex block);
    bool isReleasable(BlockIndex block) const;
    FreeBlock keyOf(BlockIndex block) const
    {
        return {sizeOf(block), m_blocks[block].address, block, m_isOldestFirst ? segmentOf(block).serial : 0};
    }

    Column<SimulatedBlock> m_blocks;
    std::vector<BlockIndex> m_unusedBlocks;
    std::vector<SimulatedSegment> m_segments;
    std::vector<std::uint32_t> m_unusedSegments;
    std::map<std::uint32_t, FreeRanges> m_vacant; ///< by segment, expandable ones only
    std::vector<BlockPool> m_pools;
    std::map<std::tuple<PoolId, StreamId, bool>, std::uint32_t> m_poolOf;
    std::set<std::uint32_t> m_releasablePools;
    std::uint32_t m_lastPool = 0;
    std::uint32_t m_searches = 0; ///< cannot wrap around: no trace has that many events
    std::int64_t m_freeCount = 0;
    std::uint32_t m_lastSerial = 0;
    bool m_hidesExpandable = false;
    bool m_isOldestFirst;
    Bytes m_largePage;
};

} // namespace highwater

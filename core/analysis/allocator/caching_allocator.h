#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "core/analysis/allocator/allocator_blocks.h"
#include "core/analysis/allocator/allocator_settings.h"

namespace highwater {

/// A piece of memory that the driver provided in the recorded run.
struct DriverAddress
{
    Address address = 0;
    Bytes size = 0;
};

/// A program's request to the allocator.
struct MemoryRequest
{
    Bytes bytes = 0; ///< may be rounded already: rounding again changes nothing
    StreamId stream;
    PoolId pool; ///< isNone() for the default pool
    /// The memory that the recorded run got from the driver in this call. Its addresses are reused for plain
    /// segments of the same size and for expandable ones, because the allocator prefers low addresses among
    /// free blocks of one size.
    std::span<const DriverAddress> recorded = {};
};

/// The device and its driver, as far as they matter to the allocator.
struct DriverFacts
{
    static constexpr Bytes kNoLimit = Bytes{1} << 61;

    Bytes limit = kNoLimit; ///< total bytes that the driver can provide
    Bytes deviceMemory = 0; ///< base of the memory fraction; 0 if unknown
    /// Address space of each expandable segment, unless the settings give one. 0 if unknown, which counts as
    /// 9/8 of the device's memory, or as 1 TiB if that memory is unknown or at least 512 GiB.
    Bytes addressSpace = 0;
    /// The place of plain segments: below (−1) or above (1) all earlier ones. The first one, or with 0 each,
    /// is where the recorded run had one of the same size, else at a new address.
    int direction = 0;
};

/// How often the allocator called the driver.
struct DriverCalls
{
    std::int64_t allocations = 0; ///< cudaMalloc, or one mapping of pages
    std::int64_t releases = 0; ///< cudaFree, or one unmapping
    std::int64_t flushes = 0; ///< whole cache returned after a failed allocation; waits for the GPU
};

/// Simulates PyTorch's caching allocator for one device: which block each request gets, and how much is
/// reserved. Follows c10/cuda/CUDACachingAllocator.cpp step by step, from PyTorch 2.1 on. A request gets the
/// best fit (see FreeBlock) among the free blocks of its pool, stream and size class, else a new segment, or
/// more pages of an expandable one. If the driver has no more memory, the allocator returns unused segments
/// to it and asks again. Blocks of segments from before the recording count as the oldest, by address.
///
/// Not modelled: time (frees that wait for another stream are completed by the caller or by a flush), the
/// driver's own fragmentation, and CUDA graphs while they are captured.
class CachingAllocator
{
public:
    /// Base of the addresses for segments with no recorded address: above every address that a driver hands
    /// out, and below those that some systems use at the very top.
    static constexpr Address kOwnAddresses = Address{1} << 60;

    /// `allocations` is the number of possible owners. A memory fraction is ignored if the device's memory is
    /// unknown.
    CachingAllocator(
        const AllocatorSettings& settings, std::size_t allocations, const DriverFacts& driver = {});

    // The initial state ---------------------------------------------------------------------------

    /// Adds a segment that exists before the first call as one block for the pool and stream of
    /// `poolAndStream`. An expandable one gets its whole address space, which may be larger than `size`. Cut
    /// the block with `blocks().split`, then set the use of each piece with `adoptOwner`, `adoptFree` or
    /// `adoptUnmapped`.
    BlockIndex adopt(
        const MemoryRequest& poolAndStream, bool isSmall, Address begin, Bytes size, bool expandable);
    void adoptOwner(BlockIndex block, AllocationIndex owner);
    void adoptFree(BlockIndex block);
    void adoptUnmapped(BlockIndex block) { m_blocks.makeUnmapped(block); }

    // The program's calls -------------------------------------------------------------------------------

    /// True if a cached block serves the request, so that the driver is not asked.
    bool hasCached(const MemoryRequest& request) { return findFree(searchFor(request)) != kNoBlock; }
    /// Returns false if the request cannot be served although everything was tried that the settings allow.
    /// O(log blocks), plus the driver calls.
    bool allocate(AllocationIndex owner, const MemoryRequest& request);
    /// Makes a request that has no allocation; false if it fails. Its block stays in use (`keep`) or returns
    /// to its pool at once.
    bool tryRequest(const MemoryRequest& request, bool keep);
    /// Marks the block as freed by the program while another stream may still read it. Does nothing if the
    /// allocation has none.
    void requestFree(AllocationIndex owner);
    /// Returns the block to its pool. Does nothing if the allocation has none.
    void free(AllocationIndex owner);
    void emptyCache() { flush(); }
    /// Makes every later flush also return the unused segments of this private pool, which nothing uses any
    /// more.
    void makeReleasable(PoolId pool) { m_releasablePools.insert(pool); }
    void setLimit(Bytes limit) { m_driver.limit = limit; }

    // Queries -------------------------------------------------------------------------------------

    AllocatorBlocks& blocks() { return m_blocks; }
    const AllocatorBlocks& blocks() const { return m_blocks; }
    /// Returns kNoBlock if the allocation has no block.
    BlockIndex blockOf(AllocationIndex owner) const { return m_blockOf[owner]; }
    Bytes reservedBytes() const { return m_reserved; }
    /// Returns the bytes of the blocks that are allocated or pending.
    Bytes allocatedBytes() const { return m_allocated; }
    const DriverCalls& calls() const { return m_calls; }

private:
    struct Search
    {
        std::uint32_t pool = 0;
        Bytes rounded = 0;
        const MemoryRequest& request;
    };

    BlockIndex takeBlock(const MemoryRequest& request);
    Search searchFor(const MemoryRequest& request);
    BlockIndex findFree(const Search& search) const;
    BlockIndex getFromDriver(const Search& search);
    BlockIndex handOut(const Search& search, BlockIndex block);
    void returnBlock(BlockIndex block);

    // From the driver
    bool mayReserve(Bytes bytes) const;
    bool isRejected(const Search& search) const;
    BlockIndex askDriver(const Search& search);
    BlockIndex newSegment(const Search& search);
    Address addressFor(const MemoryRequest& request, Bytes size);
    bool isVacant(Address begin, Bytes size) const;
    BlockIndex growPages(const Search& search);
    BlockIndex reserveAddresses(const Search& search);
    Bytes addressSpace(bool isSmall) const;
    BlockIndex mapPages(BlockIndex block, Bytes size);

    // Back to the driver
    void flush();
    enum class SizeClass : std::uint8_t
    {
        Small,
        Large
    };
    enum class PoolKind : std::uint8_t
    {
        Default,
        Private ///< of graphs and MemPools, as far as they may be released
    };
    void releasePools(SizeClass size, PoolKind kind);
    void releasePool(std::uint32_t pool);
    void releaseSegment(BlockIndex only);
    void unmapPages(BlockIndex block);
    bool releaseOversized(const Search& search);
    void collectGarbage();
    std::vector<BlockIndex> collectableSegments() const;

    bool isDefault(const BlockPool& pool) const { return pool.id.isNone(); }

    AllocatorSettings m_settings;
    AllocatorBlocks m_blocks;
    std::vector<BlockIndex> m_blockOf; ///< by allocation
    std::set<AllocationIndex> m_pending;
    std::set<PoolId> m_releasablePools;
    std::map<Address, Bytes> m_plainSegments; ///< by address, so that no address is used twice
    Address m_nextAddress;
    DriverFacts m_driver;
    Bytes m_fractionLimit = DriverFacts::kNoLimit; ///< limit set by the memory fraction
    Bytes m_reserved = 0;
    Bytes m_allocated = 0;
    DriverCalls m_calls;
};

} // namespace highwater

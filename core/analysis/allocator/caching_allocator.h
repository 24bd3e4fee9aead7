#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "core/analysis/allocator/allocator_blocks.h"
#include "core/analysis/allocator/allocator_settings.h"

namespace highwater {

/// Memory that a call of the recorded run got from the driver: where, and how much.
struct DriverAddress
{
    Address address = 0;
    Bytes size = 0;
};

/// What a program asks the allocator for.
struct MemoryRequest
{
    Bytes bytes = 0; ///< as requested, not rounded
    StreamId stream;
    PoolId pool; ///< none: the default pool
    /// Where the driver put the memory that the recorded run asked for in this call. Reused for segments of
    /// the same size, because the allocator prefers low addresses among free blocks of one size.
    std::span<const DriverAddress> recorded = {};
};

/// The device and its driver, as far as they matter to the allocator.
struct DriverFacts
{
    static constexpr Bytes kNoLimit = Bytes{1} << 61;

    Bytes limit = kNoLimit; ///< bytes that the driver can give in all
    Bytes deviceMemory = 0; ///< what a memory fraction is taken from; 0: unknown
    /// Address space of each expandable segment; 0: unknown, taken as 9/8 of the device's memory.
    Bytes addressSpace = 0;
    /// Where the driver puts plain segments: below (−1) or above (1) all others, whatever the recorded run
    /// did; 0: where the recorded run had one, else somewhere above.
    int direction = 0;
};

/// How often the allocator called the driver.
struct DriverCalls
{
    std::int64_t allocations = 0; ///< cudaMalloc, or one mapping of pages
    std::int64_t releases = 0; ///< cudaFree, or one unmapping
    std::int64_t flushes = 0; ///< whole cache returned after a failed allocation; waits for the GPU
};

/// PyTorch's caching allocator of one device, without the device: which block each request gets, and how much
/// is reserved. Follows c10/cuda/CUDACachingAllocator.cpp step by step, from PyTorch 2.1 on: best fit by size
/// and address among the free blocks of the same pool, stream and size class; else a new segment, or more
/// pages of an expandable one; else, where the driver has no more, unused segments are returned to the driver
/// and it is asked again.
///
/// Not modelled: time (frees that wait for another stream are completed by the caller or by a flush), the
/// driver's own fragmentation, and CUDA graphs while they are captured.
class CachingAllocator
{
public:
    /// Base of the addresses for segments with no recorded address: above every address that a driver hands
    /// out, and below those that some systems use at the very top.
    static constexpr Address kOwnAddresses = Address{1} << 60;

    /// `allocations`: the number of possible owners. A memory fraction is ignored when the device's memory is
    /// unknown.
    CachingAllocator(
        const AllocatorSettings& settings, std::size_t allocations, const DriverFacts& driver = {});

    // The initial state ---------------------------------------------------------------------------

    /// Adds a segment that already exists, or the address space of an expandable one, as one block. Cut it
    /// with `blocks().split`, then give each piece its use with one of the next three functions.
    BlockIndex adopt(const MemoryRequest& like, bool small, Address begin, Bytes size, bool expandable);
    void adoptOwner(BlockIndex block, AllocationIndex owner);
    void adoptFree(BlockIndex block);
    void adoptUnmapped(BlockIndex block) { m_blocks.makeUnmapped(block); }

    // The program's calls -------------------------------------------------------------------------------

    /// Whether a cached block serves the request, so that the driver is not asked.
    bool hasCached(const MemoryRequest& request) { return findFree(searchFor(request)) != kNoBlock; }
    /// False: out of memory after everything was tried. O(log blocks), plus the driver calls.
    bool allocate(AllocationIndex owner, const MemoryRequest& request);
    /// Whether such a request succeeds. Its block goes back to its pool, or is in use from then on (`keep`).
    bool serves(const MemoryRequest& request, bool keep);
    /// The program frees a block that another stream may still read.
    void requestFree(AllocationIndex owner);
    /// Returns the block to its pool. Does nothing if the allocation has none.
    void free(AllocationIndex owner);
    /// torch.cuda.empty_cache().
    void emptyCache() { flush(); }
    /// From this call on a flush also returns the unused segments of this private pool to the driver: nothing
    /// uses the pool any more.
    void makeReleasable(PoolId pool) { m_releasablePools.insert(pool); }
    void setLimit(Bytes limit) { m_driver.limit = limit; }

    // Queries -------------------------------------------------------------------------------------

    AllocatorBlocks& blocks() { return m_blocks; }
    const AllocatorBlocks& blocks() const { return m_blocks; }
    /// kNoBlock: the allocation has none.
    BlockIndex blockOf(AllocationIndex owner) const { return m_blockOf[owner]; }
    Bytes reservedBytes() const { return m_reserved; }
    /// Of blocks that are allocated or pending.
    Bytes allocatedBytes() const { return m_allocated; }
    const DriverCalls& calls() const { return m_calls; }

private:
    struct Search
    {
        std::uint32_t pool = 0;
        Bytes rounded = 0;
        const MemoryRequest& request;
    };

    BlockIndex take(const MemoryRequest& request);
    Search searchFor(const MemoryRequest& request);
    BlockIndex findFree(const Search& search) const;
    BlockIndex grow(const Search& search);
    BlockIndex handOut(const Search& search, BlockIndex block);
    void giveBack(BlockIndex block);

    // From the driver
    bool mayReserve(Bytes bytes) const;
    BlockIndex fromDriver(const Search& search);
    BlockIndex newSegment(const Search& search);
    Address addressFor(const MemoryRequest& request, Bytes size);
    bool isVacant(Address begin, Bytes size) const;
    BlockIndex growPages(const Search& search);
    BlockIndex reserveAddresses(const Search& search);
    Bytes addressSpace() const;
    BlockIndex mapPages(BlockIndex block, Bytes size);

    // Back to the driver
    void flush();
    void releaseSize(bool small, bool privatePools);
    void releasePool(std::uint32_t pool);
    void releaseSegment(BlockIndex only);
    void unmapPages(BlockIndex block);
    bool releaseOversized(const Search& search);
    void collectGarbage();
    std::vector<BlockIndex> collectable() const;

    bool isDefault(const BlockPool& pool) const { return pool.id.isNone(); }

    AllocatorSettings m_settings;
    AllocatorBlocks m_blocks;
    std::vector<BlockIndex> m_blockOf; ///< by allocation
    std::set<AllocationIndex> m_pending;
    std::set<PoolId> m_releasablePools;
    std::map<Address, Bytes> m_held; ///< segments of cudaMalloc, so that no address is used twice
    Address m_nextAddress;
    DriverFacts m_driver;
    Bytes m_allowed = DriverFacts::kNoLimit; ///< by the memory fraction
    Bytes m_reserved = 0;
    Bytes m_allocated = 0;
    DriverCalls m_calls;
};

} // namespace highwater

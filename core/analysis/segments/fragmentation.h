#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// The key of a free list: a free block can serve only requests of the same pool, stream and segment type.
/// Requests of up to 1 MiB are served from small segments.
struct FreeListKey
{
    PoolId pool;
    StreamId stream;
    SegmentType type = SegmentType::Unknown;
    auto operator<=>(const FreeListKey&) const = default;
};

/// Returns "default pool · stream 0 · large".
std::string toText(const Trace& trace, const FreeListKey& key);

/// The segments with the same free list. All sizes are block sizes, not requested bytes.
struct FreeListFigures
{
    FreeListKey key;
    std::int64_t segmentCount = 0;
    Bytes reservedBytes = 0;
    Bytes activeBytes = 0;
    Bytes pendingBytes = 0;
    Bytes freeBytes = 0;
    std::int64_t freeBlockCount = 0;
    Bytes largestFree = 0; ///< the largest request that can be served without new memory
    std::int64_t unusedSegmentCount = 0; ///< segments without any live block
    Bytes unusedBytes = 0;
};

/// The free blocks of at least `from` and less than `below` bytes.
struct FreeBlockClass
{
    Bytes from = 0;
    Bytes below = 0; ///< 0 if there is no upper limit
    std::int64_t count = 0;
    Bytes bytes = 0;
};

/// Returns "1 MiB – 16 MiB", "below 4 KiB" or "from 4 GiB".
std::string toText(const FreeBlockClass& sizeClass);

/// A segment with free memory, and the blocks in use in it. While there are any, the segment cannot be
/// returned to the driver.
struct HeldSegment
{
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    std::int64_t liveBlockCount = 0;
    AllocationIndex oldest = AllocationTable::kNoAllocation; ///< oldest live block in the segment
    AllocationIndex largest = AllocationTable::kNoAllocation;
};

/// The use of the reserved memory in one state: totals, free blocks by size, and segments that cannot be
/// released.
struct Fragmentation
{
    FreeListFigures all; ///< totals; the key has no meaning
    std::vector<FreeListFigures> lists; ///< by reserved bytes, largest first; together they equal `all`
    std::vector<FreeBlockClass>
        freeBlockClasses; ///< by size, without empty classes; together they equal the free bytes
    std::vector<HeldSegment> partlyFree; ///< all with free memory, by free bytes, largest first
    std::vector<HeldSegment> held; ///< those in use and more than a quarter free, in the same order
    Bytes heldFreeBytes = 0; ///< free bytes of `held`
    /// Bytes of unused segments that `empty_cache` returns to the driver. It does not release those of
    /// private pools.
    Bytes releasableBytes = 0;
};

/// Analyzes a state. O(blocks + segments × log segments).
Fragmentation measureFragmentation(const Trace& trace, const SegmentState& state);

} // namespace highwater

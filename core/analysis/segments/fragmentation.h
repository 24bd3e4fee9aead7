#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// Free blocks serve only requests of their own pool, stream and size class: requests up to 1 MiB (small)
/// have their own segments.
struct FreeListKey
{
    PoolId pool;
    StreamId stream;
    SegmentType type = SegmentType::Unknown;
    auto operator<=>(const FreeListKey&) const = default;
};

/// "default pool · stream 0 · large".
std::string toText(const Trace& trace, const FreeListKey& key);

/// Segments that serve the same requests, in block bytes.
struct FreeListFigures
{
    FreeListKey key;
    std::int64_t segments = 0;
    Bytes reservedBytes = 0;
    Bytes activeBytes = 0;
    Bytes pendingBytes = 0;
    Bytes freeBytes = 0;
    std::int64_t holes = 0;
    Bytes largestFree = 0; ///< the largest request that it can serve without new memory
    std::int64_t unusedSegments = 0; ///< segments without any live block
    Bytes unusedBytes = 0;
};

/// Holes of at least `from` and less than `below` bytes.
struct HoleClass
{
    Bytes from = 0;
    Bytes below = 0; ///< 0: no limit
    std::int64_t holes = 0;
    Bytes bytes = 0;
};

/// "1 MiB – 16 MiB", "below 4 KiB", "from 4 GiB".
std::string toText(const HoleClass& holes);

/// A mostly free segment that cannot be returned to the driver because something lives in it.
struct PinnedSegment
{
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    std::int64_t liveBlocks = 0;
    AllocationIndex oldest = AllocationTable::kNoAllocation; ///< of what lives in it
    AllocationIndex largest = AllocationTable::kNoAllocation;
};

/// How well a state uses its reserved memory.
struct Fragmentation
{
    FreeListFigures all; ///< its key is meaningless
    std::vector<FreeListFigures> lists; ///< by reserved bytes, largest first; they sum to `all`
    std::vector<HoleClass> holes; ///< by size; only those that occur; they sum to the free bytes
    std::vector<PinnedSegment> pinned; ///< more than a quarter free, by free bytes, largest first
    Bytes pinnedFreeBytes = 0; ///< free bytes of those
    /// Unused segments of the default pool, which `empty_cache` returns to the driver; private pools keep
    /// theirs.
    Bytes releasableBytes = 0;
};

/// O(blocks + segments × log free lists).
Fragmentation fragmentationOf(const Trace& trace, const SegmentState& state);

} // namespace highwater

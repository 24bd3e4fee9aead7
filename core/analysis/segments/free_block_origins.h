#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// A free block at an event, with the memory last freed there and its live neighbours.
struct FreeBlockOrigin
{
    std::uint32_t block = 0; ///< index into SegmentState::blocks
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    /// The event that last freed memory in the free block; −1 if the trace has none.
    std::int64_t freedAt = -1;
    AllocationIndex freed = AllocationTable::kNoAllocation; ///< the allocation that this event freed
    /// Live neighbours below and above the free block; kNoAllocation if the segment begins or ends there.
    AllocationIndex below = AllocationTable::kNoAllocation;
    AllocationIndex above = AllocationTable::kNoAllocation;

    /// Returns the neighbour that was allocated last and so limits the free block; kNoAllocation if the
    /// segment is unused.
    AllocationIndex obstacle(const AllocationTable& allocations) const;
};

/// Returns the `maxCount` largest free blocks of a state, largest first. O(blocks + f log f + allocations ×
/// (log maxCount + returned free blocks that an allocation spans)) for f free blocks.
std::vector<FreeBlockOrigin> largestFreeBlocks(
    const AllocationTable& allocations, const SegmentState& state, std::size_t maxCount);

} // namespace highwater

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
    /// The event that last freed memory in it; −1 if nothing was freed there in the trace.
    std::int64_t freedAt = -1;
    AllocationIndex freed = AllocationTable::kNoAllocation;
    /// Live neighbours below and above it in the segment; kNoAllocation if the segment begins or ends there.
    AllocationIndex below = AllocationTable::kNoAllocation;
    AllocationIndex above = AllocationTable::kNoAllocation;

    /// Returns the younger neighbour, which was the last to limit the free block; kNoAllocation if the
    /// segment is unused.
    AllocationIndex pin(const AllocationTable& allocations) const;
};

/// Returns the largest free blocks of the state, at most `most`, largest first. O(blocks + holes × log holes
/// + allocations × (log most + holes that each spans)).
std::vector<FreeBlockOrigin> largestHoles(
    const AllocationTable& allocations, const SegmentState& state, std::size_t maxCount);

} // namespace highwater

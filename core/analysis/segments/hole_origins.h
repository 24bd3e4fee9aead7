#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// A free hole at some moment: what was freed there last, and the live blocks that bound it.
struct HoleOrigin
{
    std::uint32_t block = 0; ///< row of SegmentState::blocks
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    /// The event that last freed memory in it; −1: nothing was freed there in the trace.
    std::int64_t freedAt = -1;
    AllocationIndex freed = AllocationTable::kNoAllocation;
    /// Below and above it in the segment; kNoAllocation: the segment begins or ends there.
    AllocationIndex below = AllocationTable::kNoAllocation;
    AllocationIndex above = AllocationTable::kNoAllocation;

    /// The younger of the two, which came last to keep the hole from growing; kNoAllocation: the segment is
    /// unused.
    AllocationIndex pin(const AllocationTable& allocations) const;
};

/// The largest holes of the state, at most so many, largest first. O(blocks + holes × log holes +
/// allocations × (log most + holes that each spans)).
std::vector<HoleOrigin> largestHoles(
    const AllocationTable& allocations, const SegmentState& state, std::size_t most);

} // namespace highwater

#pragma once

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/segments/free_block_origins.h"
#include "core/analysis/stacks/call_site.h"
#include "core/table/table.h"

/// Tables of the allocator's state at a moment. Bytes are those of blocks.
namespace highwater {

/// Returns one row per free list: the segments of one pool, stream and size class, which serve the same
/// requests.
Table freeListTable(const Trace& trace, const AllocatorMoment& moment);
/// Returns the free blocks by size.
Table freeBlockTable(const AllocatorMoment& moment);
/// Returns when each of the largest free blocks became free, and the younger of the two live blocks next to
/// it, which holds its segment. One row for each of `freeBlocks`, in their order.
Table freeBlockOriginTable(const AllocationTable& allocations, const CallSites& sites,
    const SegmentState& state, const std::vector<FreeBlockOrigin>& freeBlocks);
/// Returns the segments with free memory, most free first, and the blocks that keep them from being released.
/// Shows the first `most` segments; 0 shows all.
Table partlyFreeTable(const AllocationTable& allocations, const CallSites& sites,
    const AllocatorMoment& moment, std::size_t most);

} // namespace highwater

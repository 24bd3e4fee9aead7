#pragma once

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/segments/free_block_origins.h"
#include "core/analysis/stacks/call_site.h"
#include "core/table/table.h"

/// Tables of the allocator's state at a moment. Bytes are those of blocks.
namespace highwater {

/// Returns segments that serve the same requests: one row per pool, stream and size class.
Table freeListTable(const Trace& trace, const AllocatorMoment& moment);
/// Returns the free blocks by size.
Table freeBlockTable(const AllocatorMoment& moment);
/// Returns the largest free blocks: since when they are free, and which block was placed next to them last.
/// One row for each of `holes`, in their order.
Table freeBlockOriginTable(const AllocationTable& allocations, const CallSites& sites,
    const SegmentState& state, const std::vector<FreeBlockOrigin>& holes);
/// Returns the blocks that pin segments that are mostly free: the first `most` segments; 0 for all.
Table pinnedTable(const AllocationTable& allocations, const CallSites& sites, const AllocatorMoment& moment,
    std::size_t most);

} // namespace highwater

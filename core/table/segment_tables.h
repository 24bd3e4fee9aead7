#pragma once

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/stacks/call_site.h"
#include "core/table/table.h"

/// Tables of the allocator's state at a moment. Bytes are of blocks.
namespace highwater {

/// Segments that serve the same requests: a row for each pool, stream and size class.
Table freeListTable(const Trace& trace, const AllocatorMoment& moment);
/// Free holes by size.
Table holeTable(const AllocatorMoment& moment);
/// What pins segments that are mostly free.
Table pinnedTable(const AllocationTable& allocations, const CallSites& sites, const AllocatorMoment& moment);

} // namespace highwater

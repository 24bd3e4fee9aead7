#pragma once

#include <vector>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

/// True for each allocation that does not happen in a modified run.
using RemovedAllocations = std::vector<bool>;

/// Sets up the allocator as the recorded run had it before its first event: segments with their blocks, and
/// the address space of expandable segments. The space of removed allocations is free; a segment or page
/// whose live blocks were all removed is not reserved.
///
/// Sometimes only the rounded request of a block is known, not its size. Then the free space after it counts
/// as part of the block if the allocator would not have split it off.
void layOut(CachingAllocator& allocator, const AllocationScript& script, const RemovedAllocations& removed);

} // namespace highwater

#pragma once

#include <vector>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

/// Whether each allocation does not happen in a modified run.
using RemovedAllocations = std::vector<bool>;

/// Sets up the allocator as the recorded run had it before its first event: segments with their blocks, and
/// the address space of expandable segments. Removed allocations leave their place: a segment or page that
/// holds nothing else is not reserved.
///
/// Where only the rounded request of a freed block is known, the space behind it belongs to it if it is too
/// small to be a block of the large pool.
void layOut(CachingAllocator& allocator, const AllocationScript& script, const RemovedAllocations& removed);

} // namespace highwater

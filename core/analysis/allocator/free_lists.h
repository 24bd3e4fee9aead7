#pragma once

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

/// Returns the free list that must serve the request of an out-of-memory event. Without a recorded pool, it
/// is that of the default pool.
FreeListKey servingFreeList(const Trace& trace, const MemoryEvent& oom);

/// True if a segment with this range may serve requests for this free list. A stream or type that is not
/// recorded matches any; a pool that is not recorded counts as the default pool.
bool serves(const Trace& trace, const MappedRange& range, const FreeListKey& key);

} // namespace highwater

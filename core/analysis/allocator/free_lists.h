#pragma once

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

/// Returns the free list that must serve the request of an out-of-memory event; the default pool if the event
/// does not record one.
FreeListKey servingFreeList(const Trace& trace, const MemoryEvent& oom);

/// True if segments with this range may serve requests for this free list. Values missing from the file match
/// anything.
bool serves(const Trace& trace, const MappedRange& range, const FreeListKey& key);

} // namespace highwater

#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/call_chains.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Gives every memory row its stack, innermost first: the API call that caused it ("cudaMalloc"); the call
/// chain recorded with the call; the NVTX ranges around the call on its thread. Those are operators and the
/// user's ranges, except ranges that denote a complete step.
///
/// A row without a call takes the ranges of the one thread of its process that has some around it
/// (`MemoryRow::byTimeAlone`); if several threads have some, it gets none. O(n log n); sorts the ranges by
/// thread.
void attributeStacks(std::vector<MemoryRow>& rows, const std::vector<RuntimeCall>& calls,
    const CallChains& chains, std::vector<NvtxRange>& ranges, TraceBuilder& builder);

} // namespace highwater::nsys

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
/// If a row has no call and exactly one thread of its process has ranges around it, the row gets the ranges
/// of this thread (`MemoryRow::stackFoundByTime`). Sorts the ranges by thread, O(n log n). Rows without a
/// call are visited once per thread of their process, up to a limit.
void attributeStacks(std::vector<MemoryRow>& rows, const std::vector<RuntimeCall>& calls,
    const CallChains& chains, std::vector<NvtxRange>& ranges, TraceBuilder& builder);

} // namespace highwater::nsys

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
/// of this thread (`MemoryRow::stackFoundByTime`). `rows` must be sorted by time. Sorts the ranges by thread,
/// O(n log n), and visits a row without a call once per thread of its process, at O(open ranges) each. After
/// a limit of visits, further threads are skipped, and the row keeps the ranges of the first one found.
void attributeStacks(std::vector<MemoryRow>& rows, const std::vector<RuntimeCall>& calls,
    const CallChains& chains, std::vector<NvtxRange>& ranges, TraceBuilder& builder);

} // namespace highwater::nsys

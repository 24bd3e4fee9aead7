#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/call_chains.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Gives every memory row its stack, innermost first: the API call that caused it ("cudaMalloc"); the call
/// chain recorded with the call; the NVTX ranges that contain the call on its thread, of operators and of the
/// user. Ranges that denote a complete step are left out.
///
/// If a row has no call and exactly one thread of its process has ranges that contain its time, the row gets
/// the ranges of this thread (`MemoryRow::stackFoundByTime`). `rows` must be sorted by time. Sorts the ranges
/// by thread, O(n log n), and visits a row without a call once per thread of its process, at O(open ranges)
/// each. After 20 million visits, further threads are skipped, and a row keeps the ranges of the first thread
/// found.
void attributeStacks(std::vector<MemoryRow>& rows, const std::vector<RuntimeCall>& calls,
    const CallChains& chains, std::vector<NvtxRange>& ranges, TraceBuilder& builder);

} // namespace highwater::nsys

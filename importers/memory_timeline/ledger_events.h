#pragma once

#include "core/trace/trace_builder.h"
#include "importers/memory_timeline/tensor_ledger.h"

namespace highwater::memory_timeline {

/// Makes events of the device from intervals, in the order of moments; within a moment ends precede births,
/// so that no level in between exceeds those of the moments. Each interval has its own address, counted from
/// 1. Intervals that begin before moment 1 are older than the trace.
void addEvents(const TensorLedger& ledger, DeviceIndex device, TraceBuilder& builder);

} // namespace highwater::memory_timeline

#pragma once

#include "core/trace/trace_builder.h"
#include "importers/memory_timeline/tensor_ledger.h"

namespace highwater::memory_timeline {

/// Creates the device's events from intervals, in the order of moments. Within a moment, frees precede
/// allocations, so that the total never rises above its values at the moments. O(intervals + moments). Each
/// interval has its own address, counted from 1. Intervals that begin before moment 1 were allocated before
/// recording began.
void addEvents(const TensorLedger& ledger, DeviceIndex device, TraceBuilder& builder);

} // namespace highwater::memory_timeline

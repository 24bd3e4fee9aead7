#pragma once

#include "core/trace/trace_builder.h"
#include "importers/memory_timeline/tensor_ledger.h"

namespace highwater::memory_timeline {

/// Makes events of the device out of intervals, in the order of moments; of one moment ends first, then
/// births, so that no level between them is above those of the moments. Each interval has an address of its
/// own, counted from 1. What is there before moment 1 is older than the trace.
void addEvents(const TensorLedger& ledger, DeviceIndex device, TraceBuilder& builder);

} // namespace highwater::memory_timeline

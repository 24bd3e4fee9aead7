#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Adds up to two counters for each device with figures of memory pools: "pool size", the memory that its
/// pools hold from the driver, and "pool utilized", the part that is allocated from them. Both are sums of
/// the pools' latest figures. They overlap with the allocations from pools and must not be added to them.
/// `figures` must be sorted by time. O(figures × log pools).
void addPoolCounters(const std::vector<PoolFigure>& figures, const DeviceMap& devices, TraceBuilder& builder);

} // namespace highwater::nsys

#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Adds up to two counters for each device with figures of memory pools: "pool size", the memory that its
/// pools hold from the driver, and "pool utilized", the part that is allocated from the pools. Each counter
/// is the sum of the pools' latest figures. The counters include the bytes of the allocations from pools, so
/// they must not be added to these. `figures` must be sorted by time. O(figures × log pools).
void addPoolCounters(const std::vector<PoolFigure>& figures, const DeviceMap& devices, TraceBuilder& builder);

} // namespace highwater::nsys

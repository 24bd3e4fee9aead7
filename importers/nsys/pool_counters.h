#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Adds two counters for each device that has memory pools: "pool size", what its pools hold of the driver,
/// and "pool utilized", what of it is handed out; both summed over the pools' latest figures. They overlap
/// with the allocations from pools and must not be added to them. `figures` come by time. O(figures × log
/// pools).
void addPoolCounters(const std::vector<PoolFigure>& figures, const DeviceMap& devices, TraceBuilder& builder);

} // namespace highwater::nsys

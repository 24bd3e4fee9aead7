#pragma once

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// Adds kernels, copies and memsets to the trace's activities; `offset` is added to their times. O(rows).
void addGpuWork(Database& database, Nanoseconds offset, const DeviceMap& devices, TraceBuilder& builder);

/// Returns the devices that the processes used for kernels, copies and memsets. O(rows).
std::set<DeviceUse> devicesOfGpuWork(Database& database);

/// Summarizes the content of the export apart from memory events: "3,587 kernels, 904 copies, …"; empty if
/// there is none. The counts are `Database::likelyRows`.
std::string contentsText(Database& database);

} // namespace highwater::nsys

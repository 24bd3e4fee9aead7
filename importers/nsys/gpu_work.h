#pragma once

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// Adds kernels, copies and memsets to the trace's activities. O(rows).
void addGpuWork(Database& database, Nanoseconds offset, const DeviceMap& devices, TraceBuilder& builder);

/// Which devices the processes used, by the kernels, copies and memsets on them. O(rows).
std::set<DeviceUse> devicesAtWork(Database& database);

/// "3,587 kernels, 904 copies, …": the content of the export apart from memory events; empty: nothing. Uses
/// the tables' row numbers, so O(log rows).
std::string contentsText(Database& database);

} // namespace highwater::nsys

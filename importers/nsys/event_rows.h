#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Makes the devices and their events out of the memory rows, which come by time.
///
/// An allocation is known by its process, context and address. Of rows of one time, a free of what is live
/// goes before an allocation at the same place. A free that finds nothing under its own context ends the
/// allocation at that address in another context of its process. Where a second process or context uses an
/// address that another had on the same device, its allocations there get an address of their own: the number
/// of the user (1, 2, …) in the upper 16 bits. A free without size has that of its allocation. O(rows).
///
/// What is no ordinary device memory, or was attributed by time alone, says so in `MemoryEvent::details`.
void addMemoryEvents(const std::vector<MemoryRow>& rows, const DeviceMap& devices, TraceBuilder& builder);

} // namespace highwater::nsys

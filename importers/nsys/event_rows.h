#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Creates the devices and their events from the memory rows, which must be sorted by time.
///
/// An allocation is identified by its process, context and address. Among rows with the same time, a free of
/// a live allocation precedes a new allocation at the same address. A free that finds nothing in its own
/// context ends the allocation at that address in another context of its process. If a second process or
/// context uses an address that another one had on the same device, its allocations there get a separate
/// address: the number of the user (1, 2, …) in the upper 16 bits. A free without a size gets the size of its
/// allocation. O(rows × log rows).
///
/// `MemoryEvent::details` marks memory other than ordinary device memory, memory from pools, and stacks
/// attributed by time only.
void addMemoryEvents(const std::vector<MemoryRow>& rows, const DeviceMap& devices, TraceBuilder& builder);

} // namespace highwater::nsys

#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/records.h"

namespace highwater::nsys {

/// Creates the devices and their events from the memory rows, which must be sorted by time.
///
/// An allocation is identified by its process, context and address. Of rows of one time, a free of what is
/// live goes before an allocation at the same place. A free that finds nothing under its own context ends the
/// allocation at that address in another context of its process. Where a second process or context uses an
/// address that another had on the same device, its allocations there get an address of their own: the number
/// of the user (1, 2, …) in the upper 16 bits. A free without a size gets that of its allocation. O(rows).
///
/// Memory other than ordinary device memory, and stacks attributed by time only, are marked in
/// `MemoryEvent::details`.
void addMemoryEvents(const std::vector<MemoryRow>& rows, const DeviceMap& devices, TraceBuilder& builder);

} // namespace highwater::nsys

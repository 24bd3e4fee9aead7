#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// Adds one segment of a device and its blocks to the totals of the device's end state.
void addToEndState(EndState& state, const Segment& segment, BlockRange blocks);

/// Returns the reserved bytes after the device's last event: the sum of its segments. If some segments
/// could not be read, the sum may be too small. It is then raised just enough that undoing the events never
/// gives a negative total. O(segments), plus O(events) if some segments could not be read.
Bytes reservedAtEnd(const Trace& trace, DeviceIndex device);

/// Sets `Device::reserved` of a device to the running sum of its segment events, for files from which the
/// segments right after the last event read are unknown. The sum starts at the smallest value that keeps it
/// from becoming negative. Does nothing if there are no such events. `Device::reserved` must be empty.
/// O(events).
void deriveReserved(Trace& trace, DeviceIndex device);

} // namespace highwater

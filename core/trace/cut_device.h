#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// Adds one segment of a device, with its blocks, to the known end state.
void addToEndState(EndState& state, const Segment& segment, BlockRange blocks);

/// Reserved bytes after the device's last event: those of its segments. If some segments could not be read,
/// the value is raised until undoing the events never yields a negative total. O(segments), plus O(events) if
/// some segments could not be read.
Bytes reservedAtEnd(const Trace& trace, DeviceIndex device);

/// Fills `Device::reserved` of a device whose end state is unknown: the changes of its segment events, from
/// the smallest possible start; does nothing if there are none. O(events).
void deriveReserved(Trace& trace, DeviceIndex device);

} // namespace highwater

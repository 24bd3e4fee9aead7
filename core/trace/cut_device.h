#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// Adds one segment of a device to what is known of the device's end.
void addToEndState(EndState& state, const Segment& segment, const Column<Block>& blocks);

/// Reserved bytes after the device's last event: those of its segments. Where not all of these could be read,
/// raised so far that undoing the events never gives less than nothing. O(segments), and O(events) where not
/// all segments could be read.
Bytes reservedAtEnd(const Trace& trace, DeviceIndex device);

/// Fills `Device::reserved` of a device whose state at the end is not known: the changes that its segment
/// events make, from the least start that they allow; nothing where there are none. O(events).
void deriveReserved(Trace& trace, DeviceIndex device);

} // namespace highwater

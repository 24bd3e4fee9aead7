#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// How often events are inconsistent in one way, and where first.
struct EventFault
{
    std::int64_t count = 0;
    std::int64_t firstEvent = -1; ///< Number within the device; −1 if the count is 0

    bool operator==(const EventFault&) const = default;
};

/// Inconsistencies between one device's events and its final blocks. All counts are zero for a complete and
/// consistent file.
struct PairingFaults
{
    EventFault allocAtLiveAddress;
    EventFault freeWithoutAllocation;
    EventFault sizeMismatch; ///< Frees and final blocks of another size than their allocation
    std::int64_t liveButNotInSegments = 0; ///< Allocations live after the last event without a live block
    std::int64_t blockWithoutAllocation = 0; ///< Live blocks that were freed according to the events

    bool operator==(const PairingFaults&) const = default;
};

/// The pairing of one device, and the inconsistencies found on the way.
struct PairingResult
{
    EventPairing pairing;
    PairingFaults faults;
};

/// Pairs each alloc with its free, by address in file order. O(events + blocks).
///
/// A free at a new address ends an allocation made before recording began. An alloc at a live address ends
/// the allocation there (a lost free). Live blocks without any event live through the whole trace. For a
/// consistent file the result equals undoing the trace from its end.
PairingResult pairEvents(const Trace& trace, DeviceIndex device);

} // namespace highwater

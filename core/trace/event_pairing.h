#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// Counts of inconsistencies between one device's events and its final blocks. All counts are zero for a
/// complete and consistent file.
struct PairingFaults
{
    std::int64_t allocAtLiveAddress = 0;
    std::int64_t freeWithoutAllocation = 0;
    std::int64_t sizeMismatch = 0; ///< Frees and final blocks of another size than their allocation
    std::int64_t liveButNotInSegments = 0; ///< Allocations live after the last event without a live block
    std::int64_t blockWithoutAllocation = 0; ///< Live blocks that were freed according to the events
    std::int64_t firstEvent = -1; ///< The event of the first fault found; −1 if no fault has an event

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

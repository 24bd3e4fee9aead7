#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// Inconsistencies in one device's events and final blocks (importers/pytorch_snapshot/FORMAT.md lists the
/// import messages). All zero for a genuine file.
struct PairingFaults
{
    std::int64_t allocAtLiveAddress = 0;
    std::int64_t freeWithoutAllocation = 0;
    std::int64_t sizeMismatch = 0; ///< a free, or a final block, whose size differs from its allocation's
    std::int64_t liveButNotInSegments = 0; ///< live after the last event, but without a live block
    std::int64_t blockWithoutAllocation = 0; ///< a live block that was freed according to the events
    std::int64_t firstEvent = -1; ///< event of the first fault that has one

    bool operator==(const PairingFaults&) const = default;
};

struct PairingResult
{
    EventPairing pairing;
    PairingFaults faults;
};

/// Pairs each alloc with its free, by address in file order. O(events + blocks).
///
/// A free of an address that has not occurred before ends an allocation older than the trace. An alloc at a
/// live address ends the allocation there (a lost free). Live blocks without any event live through the whole
/// trace. For a consistent file this equals undoing the trace from its end.
PairingResult pairEvents(const Trace& trace, DeviceIndex device);

} // namespace highwater

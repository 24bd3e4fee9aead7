#pragma once

#include "core/trace/trace.h"

namespace highwater {

/// What does not fit together in one device's events and final blocks (the import
/// messages are listed in importers/pytorch_snapshot/FORMAT.md). All zero for a genuine file.
struct PairingFaults
{
    std::int64_t allocAtLiveAddress = 0;
    std::int64_t freeWithoutAllocation = 0;
    std::int64_t sizeMismatch = 0; ///< a free, or a final block, of another size than its allocation
    std::int64_t liveButNotInSegments = 0; ///< live after the last event, but no live block is there
    std::int64_t blockWithoutAllocation = 0; ///< a live block where the events say that it was freed
    std::int64_t firstEvent = -1; ///< event of the first fault that has one

    bool any() const;
};

struct PairingResult
{
    EventPairing pairing;
    PairingFaults faults;
};

/// Joins each alloc with its free, by address in file order. O(events + blocks).
///
/// A free whose address has not been seen before ends an allocation older than the trace. An alloc at an
/// address that is live ends what was there (a lost free). Live blocks that no event touches live through the
/// whole trace. This agrees with undoing the trace from its end as long as the file is consistent.
PairingResult pairEvents(const Trace& trace, DeviceIndex device);

} // namespace highwater

#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The events that reserved the final segments of private pools, except expandable ones. The driver reuses
/// addresses, so memory at such an address before that event was in an earlier segment. A snapshot does not
/// show the pool of the earlier segment; it counts as the default pool.
class PrivateSegments
{
public:
    /// O(events) if the trace has private pools.
    PrivateSegments(const Trace& trace, DeviceIndex device);

    /// True if the address is in a final segment of a private pool that was reserved after the event. O(log
    /// segments).
    bool isReservedAfter(Address address, std::int64_t event) const;

private:
    struct Entry
    {
        Address begin = 0;
        Bytes size = 0;
        std::int64_t event = -1; ///< −1 if reserved before the trace
    };
    std::vector<Entry> m_entries; ///< by address
};

} // namespace highwater

#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The events that reserved the segments which private pools have at the end. The driver reuses addresses:
/// memory that used such an address earlier was in a segment of another pool. A snapshot does not name that
/// pool, so it counts as the default one.
class PrivateSegments
{
public:
    /// O(events) if the trace has private pools.
    PrivateSegments(const Trace& trace, DeviceIndex device);

    /// True if the address is in such a segment that was reserved after the event. O(log segments).
    bool isGotAfter(Address address, std::int64_t event) const;

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

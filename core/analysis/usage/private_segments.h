#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// When a run got the segments that private pools hold at the end. The driver gives addresses out again: what
/// lived there before was in a segment of another pool, which is the default one as far as a snapshot tells.
class PrivateSegments
{
public:
    /// O(events) where the trace has private pools.
    PrivateSegments(const Trace& trace, DeviceIndex device);

    /// Whether the address lies in such a segment that the run got after the event. O(log segments).
    bool isGotAfter(Address address, std::int64_t event) const;

private:
    struct Entry
    {
        Address begin = 0;
        Bytes size = 0;
        std::int64_t event = -1; ///< −1: before the trace
    };
    std::vector<Entry> m_entries; ///< by address
};

} // namespace highwater

#include "core/analysis/usage/private_segments.h"

#include <algorithm>

namespace highwater {

PrivateSegments::PrivateSegments(const Trace& trace, DeviceIndex device)
{
    const RowRange rows = trace.devices[device].segments;
    for (std::uint32_t s = rows.first; s < rows.last; ++s) {
        const Segment& segment = trace.segments.segments[s];
        if (!segment.expandable && !segment.pool.isNone() && !trace.pools[segment.pool.index()].isDefault())
            m_entries.push_back({segment.address, segment.totalSize});
    }
    std::ranges::sort(m_entries, {}, &Entry::begin);
    for (std::int64_t event = 0; !m_entries.empty() && event < trace.eventCount(device); ++event) {
        const std::size_t row = trace.row(device, event);
        if (trace.events.action[row] != Action::SegmentAlloc)
            continue;
        const Address address = trace.events.address[row];
        const auto entry = std::ranges::lower_bound(m_entries, address, {}, &Entry::begin);
        if (entry != m_entries.end() && entry->begin == address)
            entry->event = event;
    }
}

bool PrivateSegments::isReservedAfter(Address address, std::int64_t event) const
{
    const auto after = std::ranges::upper_bound(m_entries, address, {}, &Entry::begin);
    if (after == m_entries.begin())
        return false;
    const Entry& entry = *(after - 1);
    return event < entry.event && address - entry.begin < static_cast<Address>(entry.size);
}

} // namespace highwater

#include "core/analysis/usage/live_spans.h"

#include <algorithm>

namespace highwater {

namespace {

/// Counts the events before a death. Neighbours often die together, so the previous position is tried first.
class EventsBefore
{
public:
    explicit EventsBefore(std::span<const std::int64_t> events)
        : m_events(events)
    {
    }

    std::uint32_t of(std::int32_t death)
    {
        if (m_events.back() < death)
            return static_cast<std::uint32_t>(m_events.size());
        const bool asLast = m_events[m_last] >= death && (m_last == 0 || m_events[m_last - 1] < death);
        if (!asLast)
            m_last = static_cast<std::size_t>(std::ranges::lower_bound(m_events, death) - m_events.begin());
        return static_cast<std::uint32_t>(m_last);
    }

private:
    std::span<const std::int64_t> m_events;
    std::size_t m_last = 0;
};

} // namespace

void visitLiveSpans(const LiveIndex& live, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&)>& visit)
{
    if (events.empty())
        return;
    const std::int32_t* deaths = live.allocations().deaths().data();
    EventsBefore before(events);
    std::vector<AllocationIndex> fresh;
    live.liveAt(events.front(), fresh);
    for (std::size_t first = 0;; ++first) {
        for (const AllocationIndex i : fresh)
            visit({i, static_cast<std::uint32_t>(first), before.of(deaths[i])});
        if (first + 1 == events.size())
            return;
        fresh.clear();
        live.appendBornSince(events[first], events[first + 1], fresh);
    }
}

std::vector<LiveSpan> liveSpans(const LiveIndex& live, std::span<const std::int64_t> events)
{
    std::vector<LiveSpan> spans;
    visitLiveSpans(live, events, [&spans](const LiveSpan& span) { spans.push_back(span); });
    return spans;
}

} // namespace highwater

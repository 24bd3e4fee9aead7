#include "core/analysis/usage/live_spans.h"

#include <algorithm>

namespace highwater {

namespace {

/// Counts the events before a death. Neighbours are often freed together, so the previous result is tried
/// first.
class EventsBefore
{
public:
    explicit EventsBefore(std::span<const std::int64_t> events)
        : m_events(events)
    {
    }

    std::uint32_t countBefore(std::int32_t death)
    {
        if (m_events.back() < death)
            return static_cast<std::uint32_t>(m_events.size());
        const bool isAtLast
            = m_events[m_lastCount] >= death && (m_lastCount == 0 || m_events[m_lastCount - 1] < death);
        if (!isAtLast)
            m_lastCount
                = static_cast<std::size_t>(std::ranges::lower_bound(m_events, death) - m_events.begin());
        return static_cast<std::uint32_t>(m_lastCount);
    }

private:
    std::span<const std::int64_t> m_events;
    std::size_t m_lastCount = 0;
};

} // namespace

void visitLiveSpans(const LiveIndex& live, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&)>& visit)
{
    if (events.empty())
        return;
    const std::int32_t* deaths = live.allocations().deaths().data();
    EventsBefore eventsBefore(events);
    std::vector<AllocationIndex> newlyAlive;
    live.liveAt(events.front(), newlyAlive);
    for (std::size_t first = 0;; ++first) {
        for (const AllocationIndex i : newlyAlive)
            visit({i, static_cast<std::uint32_t>(first), eventsBefore.countBefore(deaths[i])});
        if (first + 1 == events.size())
            return;
        newlyAlive.clear();
        live.appendBornSince(events[first], events[first + 1], newlyAlive);
    }
}

std::vector<LiveSpan> liveSpans(const LiveIndex& live, std::span<const std::int64_t> events)
{
    std::vector<LiveSpan> spans;
    visitLiveSpans(live, events, [&spans](const LiveSpan& span) { spans.push_back(span); });
    return spans;
}

} // namespace highwater

#include "core/analysis/steps/event_spans.h"

#include <algorithm>

namespace highwater {

namespace {

/// Finds events by time, even if times decrease. In that case it searches two lists that never decrease: the
/// largest time up to each event, and the smallest time from each event on.
class EventClock
{
public:
    EventClock(const Trace& trace, DeviceIndex device)
        : m_first(trace.events.time.begin() + trace.devices[device].events.first)
        , m_last(trace.events.time.begin() + trace.devices[device].events.last)
    {
        if (trace.devices[device].times != TimeQuality::Irregular)
            return;
        m_largestSoFar.assign(m_first, m_last);
        m_smallestToCome.assign(m_first, m_last);
        for (std::size_t i = 1; i < m_largestSoFar.size(); ++i)
            m_largestSoFar[i] = std::max(m_largestSoFar[i], m_largestSoFar[i - 1]);
        for (std::size_t i = m_smallestToCome.size(); i-- > 1;)
            m_smallestToCome[i - 1] = std::min(m_smallestToCome[i - 1], m_smallestToCome[i]);
    }

    std::int64_t firstEventFrom(Nanoseconds time) const
    {
        if (m_largestSoFar.empty())
            return std::lower_bound(m_first, m_last, time) - m_first;
        return std::ranges::lower_bound(m_largestSoFar, time) - m_largestSoFar.begin();
    }

    std::int64_t endOfEventsUntil(Nanoseconds time) const
    {
        if (m_smallestToCome.empty())
            return std::upper_bound(m_first, m_last, time) - m_first;
        return std::ranges::upper_bound(m_smallestToCome, time) - m_smallestToCome.begin();
    }

private:
    PackedColumn<Nanoseconds>::Iterator m_first;
    PackedColumn<Nanoseconds>::Iterator m_last;
    std::vector<Nanoseconds> m_largestSoFar;
    std::vector<Nanoseconds> m_smallestToCome;
};

} // namespace

std::vector<EventSpan> eventSpans(const Trace& trace, DeviceIndex device)
{
    std::vector<EventSpan> spans;
    visitEventSpans(trace, device, [&](const EventSpan& span) { spans.push_back(span); });
    return spans;
}

void visitEventSpans(
    const Trace& trace, DeviceIndex device, const std::function<void(const EventSpan&)>& visit)
{
    if (trace.spans.empty() || !trace.hasTimes(device)
        || trace.devices[device].kind == DeviceKind::HostPinned)
        return;
    const EventClock clock(trace, device);
    for (const Span& span : trace.spans) {
        if (!span.isOf(trace.devices[device]))
            continue;
        const std::int64_t begin = clock.firstEventFrom(span.begin);
        visit({begin, std::max(begin, clock.endOfEventsUntil(span.end)), &span, trace.text(span.name)});
    }
}

bool isOptimizerStepAnnotation(std::string_view name)
{
    return name.starts_with("Optimizer.step#");
}

} // namespace highwater

#include "core/analysis/steps/event_spans.h"

#include <algorithm>

namespace highwater {

EventClock::EventClock(const Trace& trace, DeviceIndex device)
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

EventRange EventClock::eventsWithin(Nanoseconds begin, Nanoseconds end) const
{
    const std::int64_t first = m_largestSoFar.empty()
        ? std::lower_bound(m_first, m_last, begin) - m_first
        : std::ranges::lower_bound(m_largestSoFar, begin) - m_largestSoFar.begin();
    const std::int64_t last = m_smallestToCome.empty()
        ? std::upper_bound(m_first, m_last, end) - m_first
        : std::ranges::upper_bound(m_smallestToCome, end) - m_smallestToCome.begin();
    return {first, std::max(first, last)};
}

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
        const EventRange events = clock.eventsWithin(span.begin, span.end);
        visit({events.first, events.last, &span, trace.text(span.name)});
    }
}

bool isOptimizerStepAnnotation(std::string_view name)
{
    return name.starts_with("Optimizer.step#");
}

} // namespace highwater

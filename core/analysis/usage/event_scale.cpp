#include "core/analysis/usage/event_scale.h"

#include <algorithm>
#include <cmath>

namespace highwater {

namespace {
/// Width of the last event on a time axis, and of the moment before the first event.
constexpr double kEdgeNanoseconds = 1000;
/// Width of the moment before the first event on an axis where events have no duration.
constexpr double kEdgePositions = 1;

/// Returns the position at which an event of the stretch begins.
double positionIn(const EventStretch& stretch, std::int64_t event)
{
    const double share
        = static_cast<double>(event - stretch.first) / static_cast<double>(stretch.last - stretch.first);
    return stretch.begin + share * (stretch.end - stretch.begin);
}

/// Returns the first event of the stretch at or after x; one past its last event if there is none.
std::int64_t firstIn(const EventStretch& stretch, double x)
{
    const double share = std::clamp((x - stretch.begin) / (stretch.end - stretch.begin), 0.0, 1.0);
    auto event = stretch.first
        + static_cast<std::int64_t>(share * static_cast<double>(stretch.last - stretch.first));
    // Rounding may make the quotient off by one in either direction.
    while (event > stretch.first && positionIn(stretch, event - 1) >= x)
        --event;
    while (event < stretch.last && positionIn(stretch, event) < x)
        ++event;
    return event;
}

using Times = PackedColumn<Nanoseconds>;

/// Returns the times with each raised to the latest time before it, so that they never decrease. Missing
/// times at the start get the first known time.
Times nonDecreasing(Times::Iterator first, Times::Iterator last)
{
    const auto known = std::find_if(first, last, [](Nanoseconds time) { return time != 0; });
    Nanoseconds latest = known == last ? 0 : *known;
    Times times;
    for (; first != last; ++first)
        times.push_back(latest = std::max(latest, *first));
    return times;
}
} // namespace

EventScale::EventScale(const Trace& trace, DeviceIndex device, AxisKind kind)
    : m_kind(kind)
    , m_count(trace.eventCount(device))
{
    if (kind == AxisKind::Event || m_count == 0)
        return;
    m_times = trace.events.time.begin() + trace.devices[device].events.first;
    if (trace.devices[device].times != TimeQuality::Ordered) {
        m_nonDecreasing = std::make_shared<const Times>(nonDecreasing(m_times, m_times + m_count));
        m_times = m_nonDecreasing->begin();
    }
    m_origin = m_times[0];
}

EventScale::EventScale(Nanoseconds begin, Nanoseconds end)
    : m_kind(AxisKind::Time)
    , m_count(0)
    , m_origin(begin)
    , m_length(static_cast<double>(std::max(begin, end) - begin))
{
}

EventScale::EventScale(std::vector<EventStretch> stretches)
    : m_kind(AxisKind::Aligned)
    , m_count(stretches.back().last)
    , m_stretches(std::move(stretches))
{
}

/// Returns the last stretch that begins at or before x, or null before the first.
const EventStretch* EventScale::stretchAt(double x) const
{
    const auto after = std::ranges::upper_bound(m_stretches, x, {}, &EventStretch::begin);
    return after == m_stretches.begin() ? nullptr : &*(after - 1);
}

/// Returns the stretch that contains the event, or the last one for events after all of them.
const EventStretch* EventScale::stretchOf(std::int64_t event) const
{
    const auto containing = std::ranges::upper_bound(m_stretches, event, {}, &EventStretch::last);
    return containing == m_stretches.end() ? &m_stretches.back() : &*containing;
}

bool EventScale::covers(double x) const
{
    if (x < begin() || x >= end())
        return false;
    const EventStretch* const stretch = m_stretches.empty() ? nullptr : stretchAt(x);
    return !stretch || x < stretch->end;
}

double EventScale::begin() const
{
    if (m_kind == AxisKind::Aligned)
        return m_stretches.front().begin - kEdgePositions;
    if (m_length)
        return 0;
    return m_kind == AxisKind::Event ? -1 : -kEdgeNanoseconds;
}

double EventScale::end() const
{
    if (m_kind == AxisKind::Aligned)
        return m_stretches.back().end;
    if (m_length)
        return *m_length;
    if (m_kind == AxisKind::Event || m_count == 0)
        return static_cast<double>(m_count);
    return static_cast<double>(m_times[m_count - 1] - m_origin) + kEdgeNanoseconds;
}

double EventScale::positionOf(std::int64_t event) const
{
    if (event < 0)
        return begin();
    if (m_kind == AxisKind::Aligned)
        return positionIn(*stretchOf(event), std::min(event, m_count - 1));
    if (m_kind == AxisKind::Event || m_count == 0)
        return static_cast<double>(event);
    return static_cast<double>(m_times[std::min(event, m_count - 1)] - m_origin);
}

std::int64_t EventScale::firstEventFrom(double x) const
{
    if (m_kind == AxisKind::Aligned) {
        if (x <= begin())
            return -1;
        const EventStretch* const stretch = stretchAt(x);
        return stretch ? firstIn(*stretch, x) : m_stretches.front().first;
    }
    if (m_kind == AxisKind::Event || m_count == 0)
        return static_cast<std::int64_t>(std::clamp(std::ceil(x), -1.0, static_cast<double>(m_count)));
    if (x <= begin())
        return -1;
    const double offset = std::clamp(std::ceil(x), begin(), end());
    const Nanoseconds wanted = m_origin + static_cast<Nanoseconds>(offset);
    return std::lower_bound(m_times, m_times + m_count, wanted) - m_times;
}

std::int64_t EventScale::eventAt(double x) const
{
    if (m_kind == AxisKind::Aligned) {
        const EventStretch* const stretch = stretchAt(x);
        if (!stretch)
            return -1;
        const std::int64_t next = firstIn(*stretch, x);
        return next < stretch->last && positionIn(*stretch, next) == x ? next : next - 1;
    }
    if (m_kind == AxisKind::Event || m_count == 0)
        return std::clamp<std::int64_t>(
            static_cast<std::int64_t>(std::floor(std::clamp(x, -1.0, static_cast<double>(m_count)))), -1,
            m_count - 1);
    if (x < 0)
        return -1;
    const Nanoseconds time = m_origin + static_cast<Nanoseconds>(std::floor(std::min(x, end())));
    return (std::upper_bound(m_times, m_times + m_count, time) - m_times) - 1;
}

} // namespace highwater

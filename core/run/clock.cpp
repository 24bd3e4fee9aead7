#include "core/run/clock.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace highwater {

namespace {

constexpr Nanoseconds kMinute = 60'000'000'000;
constexpr int kZoneStepMinutes = 15;
constexpr int kMaxWesternMinutes = -12 * 60;
constexpr int kMaxEasternMinutes = 14 * 60;

/// Finds the first and the last time. Ignores times of 0, which are missing in the file, and negative ones.
class RangeFinder
{
public:
    void add(Nanoseconds time)
    {
        if (time <= 0)
            return;
        m_begin = std::min(m_begin, time);
        m_end = std::max(m_end, time);
    }
    std::optional<TimeRange> range() const
    {
        return m_begin <= m_end ? std::optional(TimeRange{m_begin, m_end}) : std::nullopt;
    }

private:
    Nanoseconds m_begin = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds m_end = 0;
};

Nanoseconds overlap(const TimeRange& a, const TimeRange& b, Nanoseconds offset)
{
    return std::min(a.end, b.end + offset) - std::max(a.begin, b.begin + offset);
}

/// Returns the offset of the local time zone from UTC, in minutes, under which the ranges overlap most. On
/// a tie, the zone closest to UTC wins. Local time minus this offset is UTC.
int zoneMinutes(const TimeRange& reference, const TimeRange& local)
{
    int bestZone = 0;
    Nanoseconds longestOverlap = overlap(reference, local, 0);
    for (int zone = kMaxWesternMinutes; zone <= kMaxEasternMinutes; zone += kZoneStepMinutes) {
        const Nanoseconds overlapInZone = overlap(reference, local, -zone * kMinute);
        if (overlapInZone > longestOverlap
            || (overlapInZone == longestOverlap && std::abs(zone) < std::abs(bestZone))) {
            bestZone = zone;
            longestOverlap = overlapInZone;
        }
    }
    return bestZone;
}

std::string zoneText(int minutes)
{
    return fmt::format(
        "UTC{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60, std::abs(minutes) % 60);
}

} // namespace

ClockRelation clockRelation(Clock a, Clock b)
{
    if (a == Clock::Own || b == Clock::Own)
        return ClockRelation::Unknown;
    return a == Clock::Local || b == Clock::Local ? ClockRelation::ZoneUnknown : ClockRelation::Same;
}

std::optional<TimeRange> timeRange(const Trace& trace)
{
    RangeFinder finder;
    for (const Nanoseconds time : trace.events.time)
        finder.add(time);
    for (const Span& span : trace.spans) {
        finder.add(span.begin);
        finder.add(span.end);
    }
    for (const Nanoseconds time : trace.activities.begin)
        finder.add(time);
    for (const CounterSeries& series : trace.counters)
        for (const Nanoseconds time : series.time)
            finder.add(time);
    return finder.range();
}

std::optional<Nanoseconds> suggestedOffset(const Trace& reference, const Trace& other)
{
    const std::optional<TimeRange> referenceRange = timeRange(reference);
    const std::optional<TimeRange> otherRange = timeRange(other);
    if (!referenceRange || !otherRange)
        return std::nullopt;
    switch (clockRelation(reference.metadata.clock, other.metadata.clock)) {
    case ClockRelation::Same: return 0;
    case ClockRelation::Unknown: return referenceRange->begin - otherRange->begin;
    case ClockRelation::ZoneUnknown: break;
    }
    // Two logs of one machine have the same time zone.
    if (reference.metadata.clock == other.metadata.clock)
        return 0;
    if (other.metadata.clock == Clock::Local)
        return -zoneMinutes(*referenceRange, *otherRange) * kMinute;
    return zoneMinutes(*otherRange, *referenceRange) * kMinute;
}

std::string offsetReason(const Trace& reference, const Trace& other)
{
    const std::optional<Nanoseconds> offset = suggestedOffset(reference, other);
    if (!offset)
        return "one of the files has no timestamps and cannot be aligned";
    switch (clockRelation(reference.metadata.clock, other.metadata.clock)) {
    case ClockRelation::Same:
        return overlap(*timeRange(reference), *timeRange(other), 0) < 0
            ? "both files have times that do not overlap; they may be of different runs"
            : "both files have times";
    case ClockRelation::Unknown: return "the files share no clock, so both are shown from the same start";
    case ClockRelation::ZoneUnknown: break;
    }
    if (reference.metadata.clock == other.metadata.clock)
        return "both files have local times";
    const auto minutes = static_cast<int>(*offset / kMinute);
    const int zone = other.metadata.clock == Clock::Local ? -minutes : minutes;
    return fmt::format(
        "one of the files has local times; {} is assumed, since the files overlap most in that zone",
        zoneText(zone));
}

} // namespace highwater

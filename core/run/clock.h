#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// How the clocks of two traces of one run relate, as far as their files tell.
enum class ClockRelation : std::uint8_t
{
    Same, ///< both count from the Unix epoch
    ZoneUnknown, ///< one of them in local time
    Unknown,
};

ClockRelation clockRelation(Clock a, Clock b);

/// From the first to the last time of a trace, both included.
struct TimeRange
{
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    bool operator==(const TimeRange&) const = default;
};

/// Of all its events, spans, activities and counters; none: it tells no times. O(rows).
std::optional<TimeRange> timeRange(const Trace& trace);

/// What is to be added to the times of `other` so that they are on the clock of `reference`: nothing where
/// both clocks are the same; the time zone, a multiple of a quarter of an hour, under which both overlap most
/// where only the zone is unknown; what lets both begin together where nothing is known. None: one of them
/// tells no times.
std::optional<Nanoseconds> suggestedOffset(const Trace& reference, const Trace& other);

/// How sure that is, as a sentence for people: "both tell the time", "the log's time zone is assumed to be
/// …".
std::string offsetReason(const Trace& reference, const Trace& other);

/// Another file of the same run on the clock of the first: its times + `offset`.
struct ClockedTrace
{
    std::shared_ptr<const Trace> trace;
    std::string name; ///< for people, the file's
    Nanoseconds offset = 0;
};

} // namespace highwater

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// How the clocks of two traces of one run relate, according to their files.
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

/// The offset to add to the times of `other` to convert them to the clock of `reference`: 0 if both clocks
/// are the same; if only the time zone is unknown, the one with the largest overlap, a multiple of a quarter
/// of an hour; otherwise the offset that aligns their beginnings. None: one of them has no times.
std::optional<Nanoseconds> suggestedOffset(const Trace& reference, const Trace& other);

/// How reliable that offset is, as a sentence: "both tell the time", "the log's time zone is assumed to be
/// …".
std::string offsetReason(const Trace& reference, const Trace& other);

/// An auxiliary file of the run, converted to the clock of the main one: its times + `offset`.
struct ClockedTrace
{
    std::shared_ptr<const Trace> trace;
    std::string name; ///< for people, the file's
    Nanoseconds offset = 0;
};

} // namespace highwater

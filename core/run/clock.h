#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// How the clocks of two traces of one run are related, according to their files.
enum class ClockRelation : std::uint8_t
{
    Same, ///< Both count from the Unix epoch
    ZoneUnknown, ///< At least one is in local time
    Unknown,
};

ClockRelation clockRelation(Clock a, Clock b);

/// The first to the last time of a trace, both included.
struct TimeRange
{
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    bool operator==(const TimeRange&) const = default;
};

/// Returns the range of all its events, spans, activities and counters; nullopt if it has no times. O(rows).
std::optional<TimeRange> timeRange(const Trace& trace);

/// Returns the offset to add to the times of `other` to convert them to the clock of `reference`: 0 if both
/// clocks are the same; if only the time zone is unknown, the one with the largest overlap, a multiple of a
/// quarter of an hour; otherwise the offset that aligns their beginnings. Nullopt if either has no times.
std::optional<Nanoseconds> suggestedOffset(const Trace& reference, const Trace& other);

/// Returns how reliable that offset is, as a sentence: "both files tell the time", "one of the files tells
/// local time: UTC+02:00 is assumed, …".
std::string offsetReason(const Trace& reference, const Trace& other);

/// An auxiliary file of the run. Its times + `offset` are on the clock of the main file.
struct ClockedTrace
{
    std::shared_ptr<const Trace> trace;
    std::string name; ///< Display name: that of the file
    Nanoseconds offset = 0;
};

} // namespace highwater

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
    ZoneUnknown, ///< At least one is in local time, none counts from a moment of its own
    Unknown, ///< At least one counts from a moment of its own
};

/// Returns the relation of two clocks.
ClockRelation clockRelation(Clock a, Clock b);

/// The first to the last time of a trace, both included.
struct TimeRange
{
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    bool operator==(const TimeRange&) const = default;
};

/// Returns the range of the times of a trace's events, spans, counters and beginnings of activities, leaving
/// out times of 0 or less; nullopt if no time remains. O(rows).
std::optional<TimeRange> timeRange(const Trace& trace);

/// Returns the offset which, added to times of `other`, converts them to the clock of `reference`; nullopt if
/// either trace has no times. The offset is 0 if both have the same clock, also if both are in local time. If
/// only one is in local time, the offset is a multiple of a quarter of an hour, chosen so that the traces
/// overlap most. Unrelated clocks are aligned at the beginnings of the traces. O(rows).
std::optional<Nanoseconds> suggestedOffset(const Trace& reference, const Trace& other);

/// Returns a sentence about how `suggestedOffset` found its value: "both files have times", "one of the
/// files has local times; UTC+02:00 is assumed, …".
std::string offsetReason(const Trace& reference, const Trace& other);

/// An auxiliary file of the run. Adding `offset` to its times converts them to the clock of the main file.
struct ClockedTrace
{
    std::shared_ptr<const Trace> trace;
    std::string name; ///< Display name, made from the name of the file
    Nanoseconds offset = 0;
};

} // namespace highwater

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

enum class AxisKind : std::uint8_t
{
    Event,
    Time,
    Aligned, ///< places shared with another run, see core/analysis/diff/matching/run_alignment.h
};

/// Events [first, last), at least one, spread evenly over the places [begin, end).
struct EventStretch
{
    std::int64_t first = 0;
    std::int64_t last = 0;
    double begin = 0;
    double end = 1;

    bool operator==(const EventStretch&) const = default;
};

/// Positions of events on an x axis.
///
/// By event: event e takes [e, e + 1), the moment before the first event [−1, 0). By time: nanoseconds since
/// the device's first event; event e lasts from its time to the next event's, the last one for one
/// microsecond, and the moment before the first event is left of 0. An event without a time, or with an
/// earlier time than an event before it, takes the position of the latest event before it.
class EventScale
{
public:
    /// By time only where the device has times (`Trace::hasTimes`); the trace must outlive the scale.
    EventScale(const Trace& trace, DeviceIndex device, AxisKind kind);
    /// A stretch of time in which there are no events: [0, end − begin).
    EventScale(Nanoseconds begin, Nanoseconds end);
    /// Aligned: stretches in order of events and places, without gaps between their events; the places
    /// between two of them belong to the other run. At least one. The moment before the first event takes one
    /// place left of the first stretch.
    explicit EventScale(std::vector<EventStretch> stretches);

    AxisKind kind() const { return m_kind; }
    std::int64_t eventCount() const { return m_count; }
    /// The whole trace: [begin, end).
    double begin() const;
    double end() const;
    /// Whether the run has events at x: not before its begin, after its end, or where only the other run has
    /// some. O(log stretches).
    bool covers(double x) const;
    /// The event whose state is valid at x: the last one that begins at or before it; −1 before the first.
    /// O(log n).
    std::int64_t eventAt(double x) const;
    /// Where the event begins on the axis.
    double positionOf(std::int64_t event) const;
    /// By time: the time (since the epoch) of the origin.
    Nanoseconds origin() const { return m_origin; }
    /// First event that begins at or after x; the number of events if none does. O(log n).
    std::int64_t firstEventFrom(double x) const;

private:
    const EventStretch* stretchAt(double x) const;
    const EventStretch* stretchOf(std::int64_t event) const;

    AxisKind m_kind;
    std::int64_t m_count;
    PackedColumn<Nanoseconds>::Iterator m_times; ///< ascending
    std::shared_ptr<const PackedColumn<Nanoseconds>>
        m_straightened; ///< where the recorded ones fall or are missing
    Nanoseconds m_origin = 0;
    std::optional<double> m_length; ///< of time without events
    std::vector<EventStretch> m_stretches; ///< of Aligned
};

} // namespace highwater

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The meaning of positions on an x axis.
enum class AxisKind : std::uint8_t
{
    Event,
    Time,
    Aligned, ///< positions shared with another run, see core/analysis/diff/matching/run_alignment.h
};

/// Events [first, last), at least one, spread evenly over the positions [begin, end).
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
/// By event: event e occupies [e, e + 1), and the moment before the first event occupies [−1, 0). By time:
/// positions are nanoseconds since the device's first event. An event lasts until the time of the next event,
/// and the last event for one microsecond. The moment before the first event is left of 0. An event without a
/// time, or with an earlier time than an event before it, has the position of the latest event before it.
class EventScale
{
public:
    /// `kind` is Event, or Time if the device has times (`Trace::hasTimes`). The trace must outlive the
    /// scale.
    EventScale(const Trace& trace, DeviceIndex device, AxisKind kind);
    /// Makes a time axis without events: [0, end − begin).
    EventScale(Nanoseconds begin, Nanoseconds end);
    /// Makes an aligned axis from at least one stretch, in order of events and positions, without gaps
    /// between their events. Positions between two stretches belong to the other run. The moment before the
    /// first event occupies one position left of the first stretch.
    explicit EventScale(std::vector<EventStretch> stretches);

    AxisKind kind() const { return m_kind; }
    std::int64_t eventCount() const { return m_count; }
    /// Ends of the whole trace: [begin, end).
    double begin() const;
    double end() const;
    /// True if the run has events at x: not before its start, after its end, or where only the other run has
    /// events. O(log stretches).
    bool covers(double x) const;
    /// Returns the event whose state is valid at x: the last event that begins at or before x; −1 before the
    /// first event. O(log n).
    std::int64_t eventAt(double x) const;
    /// Returns the position at which the event begins; `begin()` for −1.
    double positionOf(std::int64_t event) const;
    /// Returns the time of the origin since the epoch, for a time axis.
    Nanoseconds origin() const { return m_origin; }
    /// Returns the first event that begins at or after x; −1 if x is at or left of `begin()`, the number of
    /// events if there is none. O(log n).
    std::int64_t firstEventFrom(double x) const;

private:
    const EventStretch* stretchAt(double x) const;
    const EventStretch* stretchOf(std::int64_t event) const;

    AxisKind m_kind;
    std::int64_t m_count;
    PackedColumn<Nanoseconds>::Iterator m_times; ///< ascending
    std::shared_ptr<const PackedColumn<Nanoseconds>>
        m_nonDecreasing; ///< used if the recorded times decrease or are missing
    Nanoseconds m_origin = 0;
    std::optional<double> m_length; ///< length of a time axis without events
    std::vector<EventStretch> m_stretches; ///< only for an aligned axis
};

} // namespace highwater

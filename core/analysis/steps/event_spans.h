#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/analysis/usage/event_range.h"
#include "core/trace/trace.h"

namespace highwater {

/// Finds the events of a device by time. The device must have times, and the trace must outlive the clock.
///
/// If times decrease somewhere, it searches two lists that never decrease: the largest time up to each event,
/// and the smallest time from each event on.
class EventClock
{
public:
    /// O(1), or O(events) if times decrease.
    EventClock(const Trace& trace, DeviceIndex device);

    /// Returns the events whose times are within [begin, end], both included; an empty range if there are
    /// none. If times decrease, it contains all of these events, and may contain others between them.
    /// O(log events).
    EventRange eventsWithin(Nanoseconds begin, Nanoseconds end) const;

private:
    PackedColumn<Nanoseconds>::Iterator m_first;
    PackedColumn<Nanoseconds>::Iterator m_last;
    std::vector<Nanoseconds> m_largestSoFar; ///< empty unless times decrease
    std::vector<Nanoseconds> m_smallestToCome;
};

/// An annotation and the events [begin, end) of one device whose times are within it, both ends included.
struct EventSpan
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    const Span* span = nullptr;
    std::string_view name; ///< valid as long as the trace
};

/// Returns the annotations of the threads that used this device, by start, outer before inner. Empty if the
/// events have no times, and for pinned host memory. O(spans × log events), plus O(events) if times decrease.
std::vector<EventSpan> eventSpans(const Trace& trace, DeviceIndex device);
/// Visits the spans of `eventSpans` one by one, without making a list of them.
void visitEventSpans(
    const Trace& trace, DeviceIndex device, const std::function<void(const EventSpan&)>& visit);

/// True for `Optimizer.step#AdamW.step`, as PyTorch's recorder writes it; never for `Optimizer.zero_grad#…`.
bool isOptimizerStepAnnotation(std::string_view name);

} // namespace highwater

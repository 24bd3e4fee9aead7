#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// An annotation and the events [begin, end) of one device whose times are within it, both ends included.
struct EventSpan
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    const Span* span = nullptr;
    std::string_view name; ///< valid as long as the trace
};

/// Returns the annotations of the threads that used this device, by start, outer before inner. Empty if the
/// events have no times. If times decrease somewhere, a span begins at the first event that is not earlier
/// than its start, and ends after the last event that is not later than its end. O(spans × log events), plus
/// O(events) if times decrease.
std::vector<EventSpan> eventSpans(const Trace& trace, DeviceIndex device);
/// Visits the spans of `eventSpans` one by one, without making a list of them.
void visitEventSpans(
    const Trace& trace, DeviceIndex device, const std::function<void(const EventSpan&)>& visit);

/// True for `Optimizer.step#AdamW.step`, as PyTorch's recorder writes it; never for `Optimizer.zero_grad#…`.
bool isOptimizerStepAnnotation(std::string_view name);

} // namespace highwater

#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/steps/step_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns how long before `to` an event was: "6,230 events, 14 steps and 1.25 s". Omits the steps if both
/// are in one step or either is in none, and the time if the file does not have it. O(log steps).
std::string distanceText(
    const Trace& trace, DeviceIndex device, const StepTable& steps, std::int64_t from, std::int64_t to);

/// Returns the next event, or the previous one if `direction` is negative. It stays within [0, eventCount).
std::int64_t neighbourEvent(std::int64_t event, int direction, std::int64_t eventCount);

/// Returns the event of the next step's peak, or of the previous one's if `direction` is negative; `event`
/// itself if there is no such step. If the peak is before the step's first event, returns its first event.
/// O(log steps).
std::int64_t neighbourStepPeak(const StepTable& steps, std::int64_t event, int direction);

} // namespace highwater

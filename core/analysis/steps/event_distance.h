#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/steps/step_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns how long ago an event was: "6,230 events, 14 steps and 1.25 s". Steps are named if `from` is in an
/// earlier step, the time if the file has it. O(log steps).
std::string distanceText(
    const Trace& trace, DeviceIndex device, const StepTable& steps, std::int64_t from, std::int64_t to);

/// Returns the next event, or the previous one if `direction` is negative. It stays within [0, eventCount).
std::int64_t neighbourEvent(std::int64_t event, int direction, std::int64_t eventCount);

/// Returns the peak of the next step, or of the previous one; `event` itself if there is none. If a step's
/// peak is before its first event, this returns its first event. O(log steps).
std::int64_t neighbourStepPeak(const StepTable& steps, std::int64_t event, int direction);

} // namespace highwater

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// Returns the moment right after an event: "after event 5,701", "before the first event", or "at the
/// snapshot" if the file has no history, so that it shows one moment only.
std::string momentIn(const Trace& trace, std::int64_t event, std::string_view preposition = "after");

/// Returns the moment and whether it is the highest: "after event 13,341, the peak", "after event 2", "at the
/// snapshot".
std::string momentAndHighest(const DeviceStudy& study, std::int64_t event);

/// Returns the name of the highest total at an event: "peak", "highest readable total" if the peak is not at
/// an event, or "snapshot" if the file has no history, so that its peak is unknown.
std::string_view nameOfHighest(const DeviceStudy& study);

} // namespace highwater

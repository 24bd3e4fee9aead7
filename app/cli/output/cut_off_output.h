#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/device/device_figures.h"

namespace highwater::cli {

/// Returns {"text", "events", "segments", "peak_at_least_bytes", "figures"}: for a snapshot, how much of each
/// list could be read ("whole", "part", "none") and how good its figures are ("exact", "at-least",
/// "unknown"); for other files only the text.
nlohmann::ordered_json cutOffJson(const Trace& trace, DeviceIndex device, const DeviceFigures& figures);

} // namespace highwater::cli

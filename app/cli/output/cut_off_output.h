#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/device/device_figures.h"

/// What the commands say of a device of a file that ends early.
namespace highwater::cli {

/// {"text", "events", "segments", "peak_at_least_bytes", "figures"}: for a snapshot how much of each list
/// could be read ("whole", "part", "none") and what its figures are ("exact", "at-least", "unknown"); else
/// the text alone.
nlohmann::ordered_json cutOffJson(const Trace& trace, DeviceIndex device, const DeviceFigures& figures);

} // namespace highwater::cli

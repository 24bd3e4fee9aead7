#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/base/result.h"

namespace highwater {

/// Computes the figures of every device of a trace.
std::vector<DeviceFigures> allFigures(const Trace& trace);

/// Returns the requested device ("0", "cuda:0", "host"), or the one with the largest peak if none is
/// requested. Fails with BadRequest: with the reason if the trace has no device to choose, else with the
/// names of its devices.
Result<DeviceIndex> chooseDevice(const Trace& trace, const std::vector<DeviceFigures>& figures,
    const std::optional<std::string>& requested);

} // namespace highwater

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/base/result.h"

namespace highwater {

/// Figures of every device of a trace.
std::vector<DeviceFigures> allFigures(const Trace& trace);

/// The device that was asked for ("0", "cuda:0", "host"), else the one with the largest peak. Fails with
/// BadRequest and the names of those that are there.
Result<DeviceIndex> chooseDevice(
    const Trace& trace, const std::vector<DeviceFigures>& figures, const std::optional<std::string>& wanted);

} // namespace highwater

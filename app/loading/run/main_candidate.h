#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_figures.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// Returns the facts about a file that was read. `device` is the device that would be shown, nullopt if
/// there is none; `figures` are those of this device and may be null without one. O(events), or O(events ×
/// log(events)) if a failure has no absolute time, so that its step must be found.
MainCandidate mainCandidate(const std::string& path, const Trace& trace, std::optional<DeviceIndex> device,
    const DeviceFigures* figures);
/// Returns the facts for the device that `chooseDevice` returns, or without a device.
MainCandidate mainCandidate(
    const std::string& path, const Trace& trace, const std::optional<std::string>& requested = {});

} // namespace highwater

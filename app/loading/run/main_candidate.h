#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_figures.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// Returns the facts about a file that was read, for the device by which it would be shown; nullopt if it has
/// no such device. `figures` belong to that device and may be null without one. O(events); O(events ×
/// log(events)) if the time of a failure is unknown, so that its step is needed.
MainCandidate mainCandidate(const std::string& path, const Trace& trace, std::optional<DeviceIndex> device,
    const DeviceFigures* figures);
/// Does the same for the requested device, or the one with the largest peak (`chooseDevice`).
MainCandidate mainCandidate(
    const std::string& path, const Trace& trace, const std::optional<std::string>& wanted = {});

} // namespace highwater

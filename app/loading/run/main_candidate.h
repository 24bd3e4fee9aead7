#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_figures.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// The facts of a file that was read, about the device that it would be shown by; none: it has no such
/// device. `figures` are of that device and may be null otherwise. O(events), where times are missing that
/// tell when it failed: O(events × log events).
MainCandidate mainCandidate(const std::string& path, const Trace& trace, std::optional<DeviceIndex> device,
    const DeviceFigures* figures);
/// The same about the device that is asked for, or the one with the largest peak (`chooseDevice`).
MainCandidate mainCandidate(
    const std::string& path, const Trace& trace, const std::optional<std::string>& wanted = {});

} // namespace highwater

#include "app/cli/device_choice.h"

#include <fmt/format.h>

namespace highwater::cli {

std::vector<DeviceFigures> allFigures(const Trace& trace)
{
    std::vector<DeviceFigures> figures;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i)
        figures.push_back(deviceFigures(trace, i));
    return figures;
}

Result<DeviceIndex> chooseDevice(
    const Trace& trace, const std::vector<DeviceFigures>& figures, const std::optional<std::string>& wanted)
{
    std::string names;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        const Device& device = trace.devices[i];
        const bool byNumber
            = device.kind != DeviceKind::HostPinned && wanted == std::to_string(device.ordinal);
        if (wanted && (byNumber || wanted == device.label()))
            return i;
        names += (names.empty() ? "" : ", ") + device.label();
    }
    const std::optional<DeviceIndex> main = mainDevice(trace, figures);
    if (!main)
        return fail(ErrorCode::BadRequest, "no device has events or segments");
    if (wanted)
        return fail(ErrorCode::BadRequest, fmt::format("has no device {} (it has: {})", *wanted, names));
    return *main;
}

} // namespace highwater::cli

#include "app/loading/device_choice.h"

#include <fmt/format.h>

namespace highwater {

std::vector<DeviceFigures> allFigures(const Trace& trace)
{
    std::vector<DeviceFigures> figures;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i)
        figures.push_back(deviceFigures(trace, i));
    return figures;
}

namespace {

/// Finds a device by label or number. If devices of several processes share a number, it identifies none of
/// them.
std::optional<DeviceIndex> findDevice(const Trace& trace, const std::string& requested)
{
    std::optional<DeviceIndex> byNumber;
    bool isAmbiguous = false;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        const Device& device = trace.devices[i];
        if (requested == device.label())
            return i;
        if (device.kind == DeviceKind::HostPinned || requested != std::to_string(device.ordinal))
            continue;
        isAmbiguous = isAmbiguous || (byNumber && device.process);
        byNumber = byNumber.value_or(i);
    }
    return isAmbiguous ? std::nullopt : byNumber;
}

/// Returns why the trace has no device to choose: the importer's reason, or a general one.
std::string noMemoryReason(const Trace& trace)
{
    const ImportLogEntry* entry = trace.log.find("no-memory-events");
    return entry ? "has no GPU memory to show: " + entry->message : "no device has events or segments";
}

} // namespace

Result<DeviceIndex> chooseDevice(const Trace& trace, const std::vector<DeviceFigures>& figures,
    const std::optional<std::string>& requested)
{
    if (const std::optional<DeviceIndex> device = requested ? findDevice(trace, *requested) : std::nullopt)
        return *device;
    std::string names;
    for (const Device& device : trace.devices)
        names += (names.empty() ? "" : ", ") + device.label();
    const std::optional<DeviceIndex> main = mainDevice(trace, figures);
    if (!main && (!trace.counters.empty() || !trace.logEvents.empty()))
        return fail(ErrorCode::BadRequest,
            "has series and messages, but no memory events or segments; highwater info prints them");
    if (!main)
        return fail(ErrorCode::BadRequest, noMemoryReason(trace));
    if (requested)
        return fail(ErrorCode::BadRequest, fmt::format("has no device {} (it has {})", *requested, names));
    return *main;
}

} // namespace highwater

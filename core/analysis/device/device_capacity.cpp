#include "core/analysis/device/device_capacity.h"

#include <algorithm>
#include <limits>

#include "core/base/text_format.h"

namespace highwater {

std::optional<DeviceCapacity> capacityFromOutOfMemory(
    const std::vector<OomEvent>& ooms, const UsageCurve& curve)
{
    std::optional<DeviceCapacity> largest;
    for (const OomEvent& oom : ooms) {
        const std::optional<Bytes> reserved = curve.reservedAt(oom.event);
        // The numbers of a broken file can be arbitrary.
        if (!reserved || oom.deviceFreeBytes < 0 || *reserved < 0
            || *reserved > std::numeric_limits<Bytes>::max() - oom.deviceFreeBytes)
            continue;
        const Bytes bytes = *reserved + oom.deviceFreeBytes;
        if (bytes > 0 && (!largest || bytes > largest->bytes))
            largest = DeviceCapacity{bytes, CapacitySource::OutOfMemory, {}, oom.event};
    }
    return largest;
}

std::optional<DeviceCapacity> knownCapacity(
    const Device& device, const std::vector<OomEvent>& ooms, const UsageCurve& curve)
{
    if (device.kind == DeviceKind::HostPinned)
        return std::nullopt;
    if (device.capacity && *device.capacity > 0)
        return DeviceCapacity{*device.capacity, CapacitySource::File, {}, -1};
    return capacityFromOutOfMemory(ooms, curve);
}

std::optional<DeviceCapacity> believableCapacity(const std::optional<DeviceCapacity>& named,
    const std::optional<DeviceCapacity>& known, Bytes reservedPeak)
{
    return named && !isContradicted(*named, reservedPeak) ? named : known;
}

bool isNear(const DeviceCapacity& capacity, Bytes highest)
{
    return capacity.bytes / 3 < highest / 2;
}

std::string sourceText(const DeviceCapacity& capacity)
{
    switch (capacity.source) {
    case CapacitySource::Chosen: return capacity.gpu.empty() ? "chosen" : capacity.gpu + ", chosen";
    case CapacitySource::Log:
    case CapacitySource::ProcessLimit: return "from the log";
    case CapacitySource::OutOfMemory: return "from the OOM event";
    case CapacitySource::File: break;
    }
    return "from the file";
}

std::string_view limitName(const DeviceCapacity& capacity)
{
    return capacity.source == CapacitySource::ProcessLimit ? "process limit" : "GPU";
}

std::string lineLabel(const DeviceCapacity& capacity)
{
    return std::string(limitName(capacity)) + " " + toText(capacity);
}

std::string boundedText(const DeviceCapacity& capacity)
{
    return (capacity.isLowerBound() ? "at least " : "") + formatBytes(capacity.bytes);
}

std::string toText(const DeviceCapacity& capacity)
{
    return capacity.isLowerBound() ? boundedText(capacity) + ", " + sourceText(capacity)
                                   : boundedText(capacity) + " (" + sourceText(capacity) + ")";
}

} // namespace highwater

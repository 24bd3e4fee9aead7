#include "importers/nsys/device_map.h"

#include <algorithm>

namespace highwater::nsys {

namespace {

/// Returns the id of the GPU that a process's device number refers to; nothing if the export does not say.
std::optional<std::int64_t> gpuUsed(const ExportDescription& description, const DeviceUse& use)
{
    const auto [process, number] = use;
    for (const CudaDevice& device : description.cudaDevices)
        if (device.number == number
            && (device.process == processNumber(process) || device.process == process))
            return device.gpu;
    return std::nullopt;
}

} // namespace

DeviceMap::DeviceMap(const ExportDescription& description, const std::set<DeviceUse>& uses)
    : m_description(description)
{
    std::map<std::int64_t, std::set<GlobalId>> usersOfOrdinal;
    std::map<std::int64_t, std::set<GlobalId>> processesOfNumber;
    for (const DeviceUse& use : uses) {
        const std::optional<std::int64_t> gpu = gpuUsed(description, use);
        const MappedDevice mapped{gpu.value_or(use.second), gpu.has_value(), false};
        m_mappedDevices.emplace(use, mapped);
        usersOfOrdinal[mapped.ordinal].insert(use.first);
        processesOfNumber[processNumber(use.first)].insert(use.first);
    }
    for (auto& [use, mapped] : m_mappedDevices)
        mapped.isShared = !mapped.isKnownGpu && usersOfOrdinal[mapped.ordinal].size() > 1;
    for (const auto& [number, processes] : processesOfNumber)
        if (processes.size() > 1)
            m_ambiguousProcesses.insert(number);
}

std::int64_t DeviceMap::processOf(GlobalId process) const
{
    const std::int64_t number = processNumber(process);
    return m_ambiguousProcesses.contains(number) ? process >> 24 : number;
}

std::int64_t DeviceMap::ordinalOf(const DeviceUse& use) const
{
    return gpuUsed(m_description, use).value_or(use.second);
}

std::optional<std::int64_t> DeviceMap::onlyOrdinalOf(GlobalId process) const
{
    std::optional<std::int64_t> onlyOrdinal;
    for (auto mapped = m_mappedDevices.lower_bound({process, std::numeric_limits<std::int64_t>::min()});
         mapped != m_mappedDevices.end() && mapped->first.first == process; ++mapped) {
        if (onlyOrdinal && *onlyOrdinal != mapped->second.ordinal)
            return std::nullopt;
        onlyOrdinal = mapped->second.ordinal;
    }
    return onlyOrdinal;
}

const GpuInfo* DeviceMap::gpuOf(const MappedDevice& mapped) const
{
    const auto& gpus = m_description.gpus;
    const auto found = std::ranges::find_if(gpus, [&](const GpuInfo& gpu) {
        return mapped.isKnownGpu ? gpu.id == mapped.ordinal
                                 : gpu.cudaNumber.value_or(gpu.id) == mapped.ordinal;
    });
    if (found != gpus.end() && (mapped.isKnownGpu || !mapped.isShared))
        return &*found;
    // If all GPUs have the same name and capacity, any of them will do.
    const bool areAlike = !gpus.empty() && std::ranges::all_of(gpus, [&](const GpuInfo& gpu) {
        return gpu.name == gpus.front().name && gpu.totalMemory == gpus.front().totalMemory;
    });
    return areAlike ? &gpus.front() : nullptr;
}

DeviceIndex DeviceMap::deviceOf(const DeviceUse& use, TraceBuilder& builder) const
{
    const auto found = m_mappedDevices.find(use);
    const MappedDevice mapped = found == m_mappedDevices.end()
        ? MappedDevice{ordinalOf(use), gpuUsed(m_description, use).has_value(), false}
        : found->second;
    const std::optional<std::int64_t> owner
        = mapped.isShared ? std::optional(processOf(use.first)) : std::nullopt;
    const DeviceIndex index = builder.device(DeviceKind::Cuda, mapped.ordinal, owner);
    Device& device = builder.deviceRow(index);
    device.quantity = Quantity::DeviceUsed;
    device.hasFinalSegments = false;
    if (const GpuInfo* gpu = gpuOf(mapped)) {
        device.name = gpu->name;
        device.capacity = gpu->totalMemory;
    }
    return index;
}

DeviceIndex DeviceMap::hostDevice(TraceBuilder& builder)
{
    const DeviceIndex index = builder.device(DeviceKind::HostPinned, Device::kNoOrdinal);
    builder.deviceRow(index).quantity = Quantity::DeviceUsed;
    builder.deviceRow(index).hasFinalSegments = false;
    return index;
}

} // namespace highwater::nsys

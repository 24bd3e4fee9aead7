#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/trace/trace_builder.h"
#include "importers/nsys/export_description.h"

namespace highwater::nsys {

/// A device, identified by a process and that process's own number for it.
using DeviceUse = std::pair<GlobalId, std::int64_t>;

/// Maps the devices of processes to devices of the trace. Under different CUDA_VISIBLE_DEVICES two processes
/// use number 0 for different GPUs, so the number alone does not identify a GPU.
///
/// If TARGET_INFO_CUDA_DEVICE identifies the GPU, its id is the ordinal, and the memory of several processes
/// on it belongs to one device. Otherwise the ordinal is the process's own number, and processes with the
/// same number get separate devices (`Device::process`). Names and capacities come from TARGET_INFO_GPU: from
/// the identified GPU, from the GPU with that CUDA number if one process uses the number, or from any if all
/// are alike.
class DeviceMap
{
public:
    /// The description must outlive the map.
    DeviceMap(const ExportDescription& description, const std::set<DeviceUse>& uses);

    /// Returns the device of any use, and adds it to the trace if it is new. Uses that were not given to the
    /// constructor count as the only ones of their number.
    DeviceIndex deviceOf(const DeviceUse& use, TraceBuilder& builder) const;
    /// Returns the device for all host memory that processes took through the driver.
    static DeviceIndex hostDevice(TraceBuilder& builder);

    /// Returns the ordinal of any use, also of uses that were not given to the constructor.
    std::int64_t ordinalOf(const DeviceUse& use) const;
    /// Returns the ordinal of the only device that a process uses, or nothing if it uses none or several.
    std::optional<std::int64_t> onlyOrdinalOf(GlobalId process) const;
    /// Returns the number of a process in the trace: the operating system's, unless processes on several
    /// machines share it.
    std::int64_t processOf(GlobalId process) const;

private:
    struct MappedDevice
    {
        std::int64_t ordinal = 0;
        bool isKnownGpu = false;
        bool isShared = false; ///< other processes use the same ordinal, perhaps for another GPU
    };

    const GpuInfo* gpuOf(const MappedDevice& mapped) const;

    const ExportDescription& m_description;
    std::map<DeviceUse, MappedDevice> m_mappedDevices;
    std::set<std::int64_t> m_ambiguousProcesses;
};

} // namespace highwater::nsys

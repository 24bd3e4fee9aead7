#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// The origin of a capacity.
enum class CapacitySource : std::uint8_t
{
    Chosen, ///< chosen by the user
    File, ///< stated in the file
    Log, ///< stated in a log of the run
    ProcessLimit, ///< stated in a log: the process's own limit, less than the GPU has
    OutOfMemory, ///< computed from an out-of-memory event: a lower bound
};

/// The memory of a device, and how it is known.
struct DeviceCapacity
{
    Bytes bytes = 0;
    CapacitySource source = CapacitySource::File;
    std::string gpu; ///< name of the chosen GPU; empty if a size was chosen
    std::int64_t event = -1; ///< for OutOfMemory: the event that shows it

    bool isLowerBound() const { return source == CapacitySource::OutOfMemory; }
    bool operator==(const DeviceCapacity&) const = default;
};

/// Returns the largest sum of reserved and free bytes over all out-of-memory events, with the first event
/// that reaches it; nothing if no event shows both. It is a lower bound, because memory of other programs and
/// of the CUDA context is not included.
std::optional<DeviceCapacity> capacityFromOutOfMemory(
    const std::vector<OomEvent>& ooms, const UsageCurve& curve);

/// Returns the capacity that the file states, else the one that its out-of-memory events show. Nothing for
/// pinned host memory.
std::optional<DeviceCapacity> knownCapacity(
    const Device& device, const std::vector<OomEvent>& ooms, const UsageCurve& curve);

/// True if the allocator reserved more than this capacity, so that the run used another device.
inline bool isContradicted(const DeviceCapacity& named, Bytes reservedPeak)
{
    return reservedPeak > named.bytes;
}
/// Returns `named`, the capacity from the user or the configuration, unless the recording contradicts it;
/// else `known`, the capacity from the recording.
std::optional<DeviceCapacity> believableCapacity(const std::optional<DeviceCapacity>& named,
    const std::optional<DeviceCapacity>& known, Bytes reservedPeak);

/// True if the capacity is less than 1.5 times as high as a chart that reaches `highest`, so that the chart
/// should be extended to include it. A higher capacity would flatten the data.
bool isNear(const DeviceCapacity& capacity, Bytes highest);

/// Returns "from the file", "H100 80, chosen".
std::string sourceText(const DeviceCapacity& capacity);
/// Returns "GPU", or "process limit" where the capacity is one.
std::string_view limitName(const DeviceCapacity& capacity);
/// Returns the label of a line: "GPU 79.18 GiB (from the file)", "process limit 2 GiB (from the log)".
std::string lineLabel(const DeviceCapacity& capacity);
/// Returns "79.18 GiB", "at least 22.85 GiB".
std::string boundedText(const DeviceCapacity& capacity);
/// Returns "79.18 GiB (H100 80, chosen)", "79.18 GiB (from the file)", "at least 14.56 GiB, from the OOM
/// event".
std::string toText(const DeviceCapacity& capacity);

} // namespace highwater

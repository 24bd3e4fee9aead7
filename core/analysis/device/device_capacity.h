#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// Where a capacity comes from.
enum class CapacitySource : std::uint8_t
{
    Chosen, ///< by the user
    File, ///< the file states it
    OutOfMemory, ///< worked out from an out-of-memory event: a lower bound
};

/// How many bytes a device has, as far as that is known.
struct DeviceCapacity
{
    Bytes bytes = 0;
    CapacitySource source = CapacitySource::File;
    std::string gpu; ///< name of the chosen GPU; empty: a size was chosen
    std::int64_t event = -1; ///< for OutOfMemory: the event that shows it

    bool isLowerBound() const { return source == CapacitySource::OutOfMemory; }
    bool operator==(const DeviceCapacity&) const = default;
};

/// When memory ran out, the device held at least what the allocator had reserved plus what was free; memory
/// of other programs and of the CUDA context is not included. The largest such sum over all events, and the
/// first event that shows it; none without such events.
std::optional<DeviceCapacity> capacityFromOutOfMemory(
    const std::vector<OomEvent>& ooms, const UsageCurve& curve);

/// What the file states, else what its out-of-memory events show. None for host memory.
std::optional<DeviceCapacity> knownCapacity(
    const Device& device, const std::vector<OomEvent>& ooms, const UsageCurve& curve);

/// Whether the run cannot have used a device of this capacity because the allocator reserved more.
inline bool isContradicted(const DeviceCapacity& named, Bytes reservedPeak)
{
    return reservedPeak > named.bytes;
}
/// What the user or the configuration names, unless the recording contradicts it; otherwise what the
/// recording shows.
std::optional<DeviceCapacity> believableCapacity(const std::optional<DeviceCapacity>& named,
    const std::optional<DeviceCapacity>& known, Bytes reservedPeak);

/// Whether a chart that reaches `highest` should be extended to include the capacity: it is less than 1.5
/// times as high. A higher one would flatten the data.
bool isNear(const DeviceCapacity& capacity, Bytes highest);

/// "from the file", "H100 80, chosen".
std::string sourceText(const DeviceCapacity& capacity);
/// "79.18 GiB (H100 80, chosen)", "79.18 GiB (from the file)", "at least 14.56 GiB, from the OOM event".
std::string toText(const DeviceCapacity& capacity);

} // namespace highwater

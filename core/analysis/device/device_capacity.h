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
    std::string card; ///< name of the card that was chosen; empty: a size was
    std::int64_t event = -1; ///< of OutOfMemory: the event that shows it

    bool isLowerBound() const { return source == CapacitySource::OutOfMemory; }
    bool operator==(const DeviceCapacity&) const = default;
};

/// When memory ran out the device held what the allocator had reserved, and what was free: it is at least as
/// large as both together. What other programs and the CUDA context held is missing from it. The largest such
/// sum of all events, the first one that shows it; none without such events.
std::optional<DeviceCapacity> capacityFromOutOfMemory(
    const std::vector<OomEvent>& ooms, const UsageCurve& curve);

/// What the file states, else what its out-of-memory events show. None for memory of the host.
std::optional<DeviceCapacity> knownCapacity(
    const Device& device, const std::vector<OomEvent>& ooms, const UsageCurve& curve);

/// Whether the run cannot have been on a device of this capacity: the allocator reserved more.
inline bool isContradicted(const DeviceCapacity& named, Bytes reservedPeak)
{
    return reservedPeak > named.bytes;
}
/// What the configuration or the user names, unless the recording contradicts it; then, and where nothing is
/// named, what the recording shows.
std::optional<DeviceCapacity> believableCapacity(const std::optional<DeviceCapacity>& named,
    const std::optional<DeviceCapacity>& known, Bytes reservedPeak);

/// Whether a picture up to `highest` is to grow so that it includes the capacity: it is less than 1.5 times
/// as high. Farther away it would press down what is to be seen.
bool isNear(const DeviceCapacity& capacity, Bytes highest);

/// "from the file", "H100 80, chosen".
std::string sourceText(const DeviceCapacity& capacity);
/// "79.18 GiB (H100 80, chosen)", "79.18 GiB (from the file)", "at least 14.56 GiB, from the OOM event".
std::string toText(const DeviceCapacity& capacity);

} // namespace highwater

#pragma once

#include <optional>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

/// Reads the calls out of a device's events. Segments that the run gave back are put down to the allocator
/// itself where a request failed right after (`oom`); and, where no cached block served the request behind
/// them, if what it asked the driver for did not fit into the capacity, if only segments of max_split_size
/// and more were given back, or if the call waited for other streams. Else they are a call of `empty_cache`.
/// Fails with BadRequest for devices whose file does not hold what a caching allocator does, or whose memory
/// came from another one (`backend`). O(events × log blocks).
Result<AllocationScript> allocationScript(
    const SegmentHistory& history, const UsageCurve& curve, const std::optional<DeviceCapacity>& capacity);

} // namespace highwater

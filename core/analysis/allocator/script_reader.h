#pragma once

#include <optional>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

/// Reads the calls to the allocator from a device's events. If the run returned segments to the driver,
/// either the allocator or a call of `empty_cache` did so. It was the allocator if a request failed right
/// after (`oom`). It was also the allocator if no cached block served the next request and one of these
/// holds: the new memory did not fit into the capacity, only segments of at least max_split_size were
/// returned, the call waited for other streams, or a release without expandable segments has the stack of the
/// request. Fails with
/// BadRequest if the file is cut off, has no events of the device or does not record a caching allocator, or
/// if memory came from another allocator (`backend`). O(events × log blocks).
Result<AllocationScript> allocationScript(
    const SegmentHistory& history, const UsageCurve& curve, const std::optional<DeviceCapacity>& capacity);

} // namespace highwater

#pragma once

#include <optional>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

/// Reads the calls to the allocator from a device's events. Segments that the run returned to the driver are
/// attributed to the allocator itself if a request failed right after (`oom`), or if no cached block served
/// the next request and one of these holds: the memory it needed did not fit into the capacity, only segments
/// of at least max_split_size were returned, the call waited for other streams, or its stack is that of the
/// request. Otherwise they are a call of `empty_cache`. Fails with BadRequest for devices whose file does not
/// record a caching allocator, or whose memory came from another allocator (`backend`). O(events × log
/// blocks).
Result<AllocationScript> allocationScript(
    const SegmentHistory& history, const UsageCurve& curve, const std::optional<DeviceCapacity>& capacity);

} // namespace highwater

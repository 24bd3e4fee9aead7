#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/figure/live/live_groups.h"

namespace highwater {

/// The bytes of each group in each of `count` columns, which divide the device's events evenly. A column
/// shows the state right after its first event with its largest total, as a pixel column does.
struct LiveColumns
{
    std::int64_t count = 0;
    /// For each column: the event that it shows, less that of the column before (the first: as it is); how
    /// many groups change, and for each the rank and the difference in bytes. The rank behind the last group
    /// is the largest number of reserved bytes in the column. All as LEB128 numbers, differences in zigzag.
    std::string changes;
};

/// At most `most` columns, and half as many as long as they take more than `room` bytes; no fewer than 1,024.
/// O(allocations + changes × log changes).
LiveColumns liveColumns(const DeviceStudy& study, const LiveIndex& live, const LiveGroups& groups,
    std::int64_t most, std::size_t room);

} // namespace highwater

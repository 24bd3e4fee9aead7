#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/figure/live/live_groups.h"

namespace highwater {

/// The bytes of each group in each of `count` columns, which divide the device's events evenly. A column
/// shows the state right after the event at which its total is largest (the first such event), as a pixel
/// column does.
struct LiveColumns
{
    std::int64_t count = 0;
    /// For each column: the event that it shows, as the difference from the previous column's event (from 0
    /// in the first column); the number of groups that change; and for each of these groups its rank and the
    /// difference in bytes. The rank after the last group stands for the largest number of reserved bytes in
    /// the column. All are LEB128 numbers; differences in bytes are in zigzag encoding.
    std::string changes;
};

/// Returns a column for each event, but at most `most`. Reduces their number until they take at most `room`
/// bytes or are at most 1,024. Each attempt costs O(allocations + changes × log changes).
LiveColumns liveColumns(const DeviceStudy& study, const LiveIndex& live, const LiveGroups& groups,
    std::int64_t most, std::size_t room);

} // namespace highwater

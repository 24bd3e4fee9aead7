#pragma once

#include <optional>
#include <string>

#include "core/analysis/allocator/oom_verdict.h"
#include "core/analysis/device/device_figures.h"

namespace highwater {

/// The allocator's state right after an event, with its analysis.
struct AllocatorMoment
{
    SegmentState state;
    Fragmentation figures;
    std::optional<OomVerdict> verdict; ///< only at an out-of-memory event
    bool cutOff = false; ///< the file is cut off, so the state is not known here
};

/// Describes the state right after `event`. O(live × log live + segments), plus `oomVerdict` at an
/// out-of-memory event.
AllocatorMoment allocatorMomentAt(const SegmentHistory& history, std::int64_t event);

/// Describes the reserved bytes in one line: "8.00 GiB reserved in 21 segments: 4.37 GiB active, 2.87 GiB
/// free in 20 blocks, the largest 166 MiB; rounding adds 1.2 MiB".
std::string headlineOf(const AllocatorMoment& moment);

/// Returns the event to look at first: the last out-of-memory event, else the peak.
std::int64_t initialEvent(const DeviceFigures& figures);

} // namespace highwater

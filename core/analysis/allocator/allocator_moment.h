#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/analysis/allocator/memory_change.h"
#include "core/analysis/allocator/oom_verdict.h"
#include "core/analysis/allocator/request_ghost.h"
#include "core/analysis/device/device_figures.h"

namespace highwater {

/// The allocator's state right after an event, with its analysis.
struct AllocatorMoment
{
    SegmentState state;
    Fragmentation figures;
    MemoryChange change; ///< what the event did
    std::optional<OomVerdict> verdict; ///< only at an out-of-memory event
    std::optional<RequestGhost> ghost; ///< a failed request next to this moment's free memory
    bool cutOff = false; ///< the file is a snapshot that is cut off
};

/// Describes the state right after `event`. `ooms` are the failures of the device among which the ghost is
/// chosen; without them there is none. `processLimit` is as in `oomVerdict`. O(live × log live + segments),
/// plus `oomVerdict` at an out-of-memory event.
AllocatorMoment allocatorMomentAt(const SegmentHistory& history, std::int64_t event,
    std::span<const OomEvent> ooms = {}, std::optional<Bytes> processLimit = {});

/// Describes the reserved bytes in one line: "8 GiB is reserved in 21 segments: 4.37 GiB in use, 1.2 MiB lost
/// to rounding, 2.87 GiB free in 20 blocks, the largest 166 MiB". If the file has no segments, says why.
std::string momentHeadline(const AllocatorMoment& moment);

/// Returns the event to look at first: the last out-of-memory event, else the peak.
std::int64_t initialEvent(const DeviceFigures& figures);

} // namespace highwater

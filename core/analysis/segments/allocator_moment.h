#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/segments/oom_verdict.h"

namespace highwater {

/// The allocator right after an event, and what there is to say of it.
struct AllocatorMoment
{
    SegmentState state;
    Fragmentation figures;
    std::optional<OomVerdict> verdict; ///< at an out-of-memory event alone
    bool cutOff = false; ///< the file is cut off, so its state at the end cannot be undone back to here
};

/// O(live × log live + segments).
AllocatorMoment allocatorMomentAt(const SegmentHistory& history, std::int64_t event);

/// What is in the reserved bytes, in one line: "8.00 GiB reserved in 21 segments: 4.37 GiB active, 2.87 GiB
/// free in 20 holes, the largest 166.0 MiB; rounding takes 1.20 MiB".
std::string headlineOf(const AllocatorMoment& moment);

/// The moment to look at first: the last out-of-memory event, else the peak.
std::int64_t firstMomentOf(const DeviceFigures& figures);

} // namespace highwater

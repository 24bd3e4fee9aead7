#pragma once

#include <vector>

#include "core/analysis/device_study.h"

namespace highwater {

/// An allocation that could have been given back, or not made, from an event on.
struct LifetimeCut
{
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    std::int64_t from = -1; ///< gone right after this event, up to its death; −1: never there
};

/// How much lower the peak of the whole trace would be with these allocations cut, all else unchanged: exact
/// for the recorded sequence. Each allocation at most once. O(events + cuts).
Bytes peakSaving(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts);

} // namespace highwater

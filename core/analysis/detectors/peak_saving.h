#pragma once

#include <optional>
#include <vector>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// An allocation that could have been freed, or not made, from an event on.
struct LifetimeCut
{
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    std::int64_t from = -1; ///< gone from right after this event on; −1: from before the first
    /// Back again right after this event; by default it stays away up to its death.
    std::int64_t until = AllocationTable::kNeverFreed;
    std::optional<Bytes> bytes = std::nullopt; ///< so much of it; by default all
};

/// How much lower the peak of the whole trace would be with these allocations cut, all else unchanged: exact
/// for the recorded sequence. Cuts of one allocation must not overlap. O(events + cuts).
Bytes peakSaving(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts);

} // namespace highwater

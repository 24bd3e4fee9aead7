#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// An allocation that could have been freed, or not made at all, between two events.
struct LifetimeCut
{
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    /// First event after which the allocation is absent; −1 to remove it from before the first event
    std::int64_t absentAfter = -1;
    /// The first event after which the allocation is present again; by default it stays absent
    std::int64_t presentAfter = AllocationTable::kNeverFreed;
    /// The part of the allocation that is removed; all of it by default
    std::optional<Bytes> bytes = std::nullopt;
};

/// Returns the allocations that these cuts free before an event at which they are alive: what is in use there
/// although it was no longer needed. Ascending; each once. O(cuts × log cuts).
std::vector<AllocationIndex> allocationsCutAt(
    const DeviceStudy& study, const std::vector<LifetimeCut>& cuts, std::int64_t event);

/// Returns how many bytes lower the peak of the whole trace would be with these cuts and everything else
/// unchanged. Exact for the recorded sequence of events. Cuts of one allocation must not overlap. O(events +
/// cuts). `UsageCurve(study.curve, *saving.removed)` is the curve with the cuts.
PeakSaving peakSaving(const DeviceStudy& study, const std::vector<LifetimeCut>& cuts);

/// Returns the end of an advice that saves nothing of the peak: "; this lowers the memory of that call, not
/// the peak of the run". Empty if it saves some.
std::string savesElsewhere(const PeakSaving& saving);

} // namespace highwater

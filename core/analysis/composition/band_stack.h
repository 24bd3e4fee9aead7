#pragma once

#include <memory>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// The bands of the modes Category and Site in the order in which they are stacked. From the bottom:
/// parameters, optimizer state, gradients; the rest of the set-up; what is held from earlier steps; what the
/// step itself made; what is temporary. Each is divided by category, in mode Site also by call site, and lies
/// largest at the peak first, ties by key. Keys are those of `groupBands`; a group's held part has its key as
/// well. At most 16,384 groups are kept; those smaller at the peak share the last one. `sites` are the groups
/// of mode Site, for the order and the labels. O(allocations).
BandGroups stackBands(const DeviceStudy& study, const LiveIndex& live, const BandGroups& sites,
    std::shared_ptr<const HeldBlocks> held, std::int64_t peakEvent, BandMode mode);

} // namespace highwater

#pragma once

#include <cstdint>
#include <memory>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// Layers of the stack, from the bottom.
enum class BandTier : std::uint8_t
{
    Parameters,
    OptimizerState,
    Gradients,
    SetUp,
    Kept,
    Step,
    Temporary
};

/// Returns the layer of an allocation that is not kept; `setUp` is true if it was made before the first
/// phase.
BandTier bandTier(Category category, bool setUp);

/// Groups the allocations for modes Category and Site, in the order in which they are stacked. From the
/// bottom: parameters, optimizer state, gradients, the rest of the set-up, memory kept from earlier steps,
/// memory allocated in the step itself, temporary memory. Each layer is divided by category, in mode Site
/// also by call site; the largest at the peak is lowest, ties by key. Keys are those of `groupBands`; the
/// group of the kept allocations has the same key. At most 16,384 groups are made; those further up share the
/// last one. `sites` are the groups of mode Site, which give keys and labels.
/// O(allocations + groups × log groups).
BandGroups stackBands(const DeviceStudy& study, const LiveIndex& live, const BandGroups& sites,
    std::shared_ptr<const KeptBlocks> keptBlocks, std::int64_t peakEvent, BandMode mode);

} // namespace highwater

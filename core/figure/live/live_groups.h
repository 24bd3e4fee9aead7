#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// What is stacked as one in a live timeline: a call site of one category, or its part that is held from
/// earlier steps, or all small call sites of a category together.
struct LiveGroup
{
    std::string label; ///< "forward model.py:39"
    std::string key; ///< of the call site, as `peaks --group site` has it; empty: of several
    std::string category; ///< "activations"
    std::vector<std::string> stack; ///< an example's frames, innermost first; may be empty
    ThemedColor color{};
    bool held = false;
    Bytes bytesAtPeak = 0;
    std::int64_t sites = 1; ///< how many call sites it stands for
};

/// All allocations of a device in a few groups, from the bottom up in the order of `stackBands`.
struct LiveGroups
{
    std::vector<LiveGroup> groups;
    BandGroups bands; ///< the finer partition that they are made of
    std::vector<GroupRank> groupOfBand;

    GroupRank rank(AllocationIndex i) const { return groupOfBand[bands.rank(i)]; }
    /// From the event on after which it is held (`heldFrom`).
    GroupRank heldRank(AllocationIndex i) const { return groupOfBand[bands.heldRankOf[bands.rank(i)]]; }
    std::int32_t heldFrom(AllocationIndex i) const
    {
        return bands.held ? bands.held->from(i) : HeldBlocks::kNever;
    }
};

/// The call sites that hold most at the peak, and those that hold most over the whole recording, are groups
/// of their own; of each category the others are one. O(allocations).
LiveGroups liveGroups(const DeviceStudy& study, const LiveIndex& live);

} // namespace highwater

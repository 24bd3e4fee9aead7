#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// One band of a live timeline: a call site of one category, the part of it kept from earlier steps, or all
/// small call sites of a category together.
struct LiveGroup
{
    std::string label; ///< "forward (model.py:39)", "12 other call sites of activations"
    std::string key; ///< Key of the call site, as in `peaks --group site`; empty for several call sites
    std::string category; ///< "activations"
    bool isGuess = false; ///< The category is a guess (`DeviceStudy::guessed`)
    std::vector<std::string> stack = {}; ///< Frames of an example, innermost first; may be empty
    ThemedColor color{};
    bool isKept = false; ///< True for memory kept from earlier steps
    Bytes bytesAtPeak = 0;
    std::int64_t siteCount = 1; ///< Number of call sites in the group
};

/// All allocations of a device in a few groups, from the bottom up in the order of `stackBands`.
struct LiveGroups
{
    std::vector<LiveGroup> groups;
    BandGroups bands; ///< The finer partition from which the groups are made
    std::vector<GroupRank> groupOfBand; ///< By rank in `bands`

    GroupRank rank(AllocationIndex i) const { return groupOfBand[bands.rank(i)]; }
    /// Returns the rank of an allocation once it counts as kept, which it does from event `keptFrom` on.
    GroupRank keptRank(AllocationIndex i) const { return groupOfBand[bands.keptRankOf[bands.rank(i)]]; }
    std::int32_t keptFrom(AllocationIndex i) const
    {
        return bands.keptBlocks ? bands.keptBlocks->keptSince(i) : KeptBlocks::kNever;
    }
};

/// Makes a group of each of the call sites with the most bytes at the peak, or over the whole recording; the
/// other call sites of a category form one group. O(allocations + call sites × log call sites).
LiveGroups liveGroups(const DeviceStudy& study, const LiveIndex& live);

} // namespace highwater

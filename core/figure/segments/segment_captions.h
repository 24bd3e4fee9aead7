#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/stacks/call_site.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// Returns "402 MiB, 166 MiB free behind 1 block of collect evaluate.py:41": a description of the segment,
/// and the blocks that keep its free part from being returned.
std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment);

/// Returns captions to the right of the segments, for a map with a row for each segment, where there is room;
/// moved by `offset`. Lengths are in the map's pixels. O(strips).
std::vector<FigureShape> segmentCaptions(const CallSites& sites, const AllocatorMoment& moment,
    const AddressMap& map, int rowHeight, double font, FigureColor color, FigurePoint offset = {});

} // namespace highwater

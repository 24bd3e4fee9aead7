#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/stacks/call_site.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// Returns "402 MiB, 166 MiB free, pinned by 1 block of collect (evaluate.py:41)": the size of the segment,
/// its free bytes, and the blocks because of which they cannot be returned to the GPU. O(pinned segments).
std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment);

/// Returns captions to the right of the segments, for a map with a row for each segment, where there is room;
/// moved by `offset`. Lengths are in the map's pixels. O(strips × pinned segments).
std::vector<FigureShape> segmentCaptions(const CallSites& sites, const AllocatorMoment& moment,
    const AddressMap& map, int rowHeight, double font, FigureColor color, FigurePoint offset = {});

} // namespace highwater

#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/stacks/call_site.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// "402 MiB, 166 MiB free behind 1 block of collect evaluate.py:41": what a segment is, and what keeps the
/// free part of it from being returned.
std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment);

/// Captions right of the segments of a map with a row for each of them, where they have room; moved by
/// `offset`. Lengths in the map's pixels. O(strips).
std::vector<FigureShape> segmentCaptions(const CallSites& sites, const AllocatorMoment& moment,
    const AddressMap& map, int rowHeight, double font, FigureColor color, FigurePoint offset = {});

} // namespace highwater

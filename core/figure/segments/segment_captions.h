#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/stacks/call_site.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// Returns "402 MiB, 166 MiB free, held by 1 block of collect (evaluate.py:41)" or "402 MiB, unused": the
/// size of the segment, its free bytes, and the blocks because of which they cannot be returned to the GPU,
/// as far as they are known. O(held segments).
std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment);

/// Returns "20 segments, each held by a block of collect (evaluate.py:41)" if one call site holds all
/// held segments, at least two, each with a single block; empty otherwise. O(held segments).
std::string commonObstacle(const CallSites& sites, const AllocatorMoment& moment);

/// How captions are drawn; lengths are in the map's pixels.
struct CaptionLook
{
    FigurePalette palette = FigurePalette::light();
    int rowHeight = 14;
    double font = 11;
    FigurePoint offset = {}; ///< Position of the map's upper left corner
    bool namesObstacles
        = true; ///< False leaves out the blocks that hold segments, which `commonObstacle` names once
};

/// Returns captions to the right of the segments, for a map with a row for each segment, where there is room,
/// each on a background of its own. O(strips × held segments).
std::vector<FigureShape> segmentCaptions(
    const CallSites& sites, const AllocatorMoment& moment, const AddressMap& map, const CaptionLook& look);

} // namespace highwater

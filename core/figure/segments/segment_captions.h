#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/stacks/call_site.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// Returns "402 MiB, 166 MiB free, pinned by 1 block of collect (evaluate.py:41)" or "402 MiB, unused": the
/// size of the segment, its free bytes, and the blocks because of which they cannot be returned to the GPU,
/// as far as they are known. O(pinned segments).
std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment);

/// Returns "20 segments, each pinned by a block of collect (evaluate.py:41)" if one call site holds all
/// pinned segments, at least two, each with a single block; empty otherwise. O(pinned segments).
std::string commonPin(const CallSites& sites, const AllocatorMoment& moment);

/// How captions are drawn; lengths are in the map's pixels.
struct CaptionLook
{
    FigurePalette palette = FigurePalette::light();
    int rowHeight = 14;
    double font = 11;
    FigurePoint offset = {}; ///< Position of the map's upper left corner
    bool hasPins = true; ///< False leaves out the blocks that pin, which `commonPin` names once
};

/// Returns captions to the right of the segments, for a map with a row for each segment, where there is room,
/// each on a background of its own. O(strips × pinned segments).
std::vector<FigureShape> segmentCaptions(
    const CallSites& sites, const AllocatorMoment& moment, const AddressMap& map, const CaptionLook& look);

} // namespace highwater

#pragma once

#include "core/analysis/allocator/allocator_moment.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// How marks on an address map are drawn; lengths are in pixels of the map.
struct MapMarksLook
{
    FigurePalette palette = FigurePalette::light();
    int rowHeight = 14;
    int pixel = 1; ///< Size of a screen pixel
    double font = 11;
};

/// Outlines the memory that the event of the moment changed, with the parts of it in all rows. O(segments +
/// strips).
std::vector<FigureShape> changeOutline(
    const AllocatorMoment& moment, const AddressMap& map, const MapMarksLook& look);

/// Draws the failed request as a dashed outline with its bytes. It begins at the largest free block that may
/// serve it and is as long as the request at the map's scale, so it shows what would have to be free as well.
/// A request that would end outside the map is moved to the left. Empty without a failed request. O(segments
/// + strips).
std::vector<FigureShape> requestGhostShapes(
    const AllocatorMoment& moment, const AddressMap& map, const MapMarksLook& look);

} // namespace highwater

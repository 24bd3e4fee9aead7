#pragma once

#include <string>
#include <vector>

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
};

/// Outlines the memory that the event of the moment changed, with the parts of it in all rows. O(segments +
/// strips).
std::vector<FigureShape> changeOutline(
    const AllocatorMoment& moment, const AddressMap& map, const MapMarksLook& look);

/// Outlines the largest free block that may serve the failed request, and draws the length of the request, at
/// the map's scale, in the gap below that row. A request that would end outside the map is moved to the left.
/// Outline and length are in the colour of danger only at the moment of the failure. Empty without such a
/// block. O(segments
/// + strips).
std::vector<FigureShape> requestGhostShapes(
    const AllocatorMoment& moment, const AddressMap& map, const MapMarksLook& look);

/// Returns true if the moment has a failed request, and is not that of the failure.
bool isAwayFromFailure(const AllocatorMoment& moment);

/// Returns "The 48 MiB that failed later, at event 7, is 42 MiB larger than the outlined free block"; empty
/// without a failed request, and at the failure itself.
std::string requestGhostText(const AllocatorMoment& moment);

} // namespace highwater

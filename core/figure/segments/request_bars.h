#pragma once

#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// How a failed request is drawn beside the map of the segments; lengths in pixels of that map.
struct RequestBarsLook
{
    FigurePalette palette = FigurePalette::light();
    double width = 1000;
    double bytesPerPixel = 1; ///< that of the map
    double rowHeight = 16;
    double rowGap = 4;
    double font = 11;
    double pixel = 1; ///< of the screen
    std::size_t mostHoleRows = 3;
    FigurePoint offset = {}; ///< of the upper left corner
};

/// The request that failed, the largest hole that may serve it, what is free on the device, and all holes
/// that may serve it, at the scale of the map: why no piece is long enough is seen at once. What is longer
/// than the sheet ends open at its edge.
struct RequestBars
{
    std::vector<FigureShape> shapes;
    double height = 0; ///< 0: nothing failed at that moment
    double requestEnd = 0; ///< x of the request's right edge, without the offset
};

/// O(blocks + holes × log holes).
RequestBars requestBars(const Trace& trace, const AllocatorMoment& moment, const RequestBarsLook& look);

} // namespace highwater

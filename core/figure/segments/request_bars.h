#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// How a failed request is drawn next to the map of the segments; lengths are in pixels of that map.
struct RequestBarsLook
{
    FigurePalette palette = FigurePalette::light();
    double width = 1000;
    double bytesPerPixel = 1; ///< Scale of the map
    double rowHeight = 16;
    double rowGap = 4;
    double font = 11;
    double pixel = 1; ///< Size of a screen pixel
    std::size_t maxFreeBlockRows = 3;
    FigurePoint offset = {}; ///< Position of the upper left corner
};

/// The request that failed, the free memory of the device, and the free blocks that may serve the request.
/// The scale is that of the map of segments, so the bars show why no block is large enough. Bars longer than
/// the sheet are open at its edge.
struct RequestBars
{
    std::vector<FigureShape> shapes;
    double height = 0; ///< 0 if no request failed at the moment
    double requestEnd = 0; ///< x of the request's right edge, without the offset
};

/// Draws the bars, and below them the text `obstacle` (`commonObstacle`), unless it is empty. O(blocks + free
/// blocks × log free blocks).
RequestBars requestBars(const Trace& trace, const AllocatorMoment& moment, const RequestBarsLook& look,
    const std::string& obstacle = {});

} // namespace highwater

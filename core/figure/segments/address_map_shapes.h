#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/segments/segment_state.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// How an address map is drawn: blocks in their colours, holes empty, pending frees hatched, an outline
/// around each segment; in low rows grey holes and no outlines.
struct AddressMapLook
{
    FigurePalette palette = FigurePalette::light();
    std::function<FigureColor(AllocationIndex)> colorOf;
    std::function<std::string(const MapCell&)> titleOf = {}; ///< tooltips; none: there are none
    int rowHeight = 14;
    int pixel = 1; ///< of the screen, in the map's pixels
    std::optional<std::uint32_t> marked = {}; ///< a segment
};

/// The shapes of the rows that touch [top, bottom), moved by `offset`; later ones cover earlier ones.
/// O(boxes in these rows + log boxes).
std::vector<FigureShape> addressMapShapes(const SegmentState& state, const AddressMap& map,
    const AddressMapLook& look, int top, int bottom, FigurePoint offset = {});

} // namespace highwater

#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/segments/segment_state.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/layout/address_map.h"

namespace highwater {

/// How an address map is drawn: blocks in their colours, those kept from earlier steps hatched in white,
/// those that are mostly pending frees hatched in the colour of text, free blocks empty, an outline around
/// each segment. In rows lower than eight screen pixels free blocks are grey, and segments have no outlines.
struct AddressMapLook
{
    FigurePalette palette = FigurePalette::light();
    std::function<FigureColor(AllocationIndex)> colorOf;
    std::function<bool(AllocationIndex)> isKept = {}; ///< Kept from earlier steps; may be empty
    std::function<std::string(const MapCell&)> titleOf = {}; ///< Tooltips; may be empty
    int rowHeight = 14;
    int pixel = 1; ///< Size of a screen pixel, in pixels of the map
    std::optional<std::uint32_t> marked = {}; ///< A segment to mark
};

/// Returns the shapes of the rows that touch [top, bottom), moved by `offset`; later ones cover earlier ones.
/// O(boxes in these rows + log boxes).
std::vector<FigureShape> addressMapShapes(const SegmentState& state, const AddressMap& map,
    const AddressMapLook& look, int top, int bottom, FigurePoint offset = {});

} // namespace highwater

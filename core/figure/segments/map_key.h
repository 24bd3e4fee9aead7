#pragma once

#include "core/analysis/segments/segment_state.h"
#include "core/figure/segments/request_bars.h"

namespace highwater {

/// Returns the height of the key of a map of segments, in a font of this size.
double mapKeyHeight(double font);

/// Adds the key of the map below the bars: what filled, empty and hatched blocks are, and a ruler with the
/// length of the blocks at the map's scale. `hasKept` adds the hatching of blocks kept from earlier steps.
/// Entries without room are left out.
void addMapKey(RequestBars& bars, const SegmentState& state, const RequestBarsLook& look, bool hasKept);

} // namespace highwater

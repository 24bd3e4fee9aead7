#pragma once

#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/segments/segment_state.h"
#include "core/figure/layout/address_map.h"

namespace highwater::gui {

/// Returns the tool tip of a cell of the address map: bytes and place of the cell's main block, call site and
/// age if the block is not free, and the bytes of all blocks that share the cell.
QString blockTip(const DeviceAnalysis& analysis, const SegmentState& state, const MapCell& cell);

} // namespace highwater::gui

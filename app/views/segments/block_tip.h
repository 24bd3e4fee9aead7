#pragma once

#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/segments/segment_state.h"
#include "core/figure/layout/address_map.h"

namespace highwater::gui {

/// Returns the tool tip of a cell of the address map: bytes, call site and age of its largest block, and
/// where the block is.
QString blockTip(const DeviceAnalysis& analysis, const SegmentState& state, const MapCell& cell);

} // namespace highwater::gui

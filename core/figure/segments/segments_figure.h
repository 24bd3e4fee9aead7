#pragma once

#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Draws the allocator's segments right after an event, all at one scale: blocks in the colours of their
/// groups (see `bestStacking`), free blocks between them. Each segment has a row with a caption if there is
/// room; else they are wrapped like text, in rows that get lower as space shrinks, and blocks that still do
/// not fit are counted in a note. A request that failed at the event is drawn above. O(events × log live).
Figure segmentsFigure(const DeviceStudy& study, std::int64_t event, const FigureOptions& options);

} // namespace highwater

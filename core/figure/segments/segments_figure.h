#pragma once

#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Draws the allocator's segments right after an event, all at one scale, wrapped like text: blocks in the
/// colours of their groups (category where known, else call site), free blocks between them. Rows get lower
/// as space shrinks; segments that still do not fit are counted in a note. O(events × log live).
Figure segmentsFigure(const DeviceStudy& study, std::int64_t event, const FigureOptions& options);

} // namespace highwater

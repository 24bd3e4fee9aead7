#pragma once

#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// The allocator's segments right after an event, all in one scale, wrapped as lines of text: blocks in the
/// colours of their groups (category where known, else call site), free holes between them. Rows get lower as
/// space shrinks; segments that still do not fit are counted in a note. O(events × log live).
Figure segmentsFigure(const DeviceStudy& study, std::int64_t event, const FigureOptions& options);

} // namespace highwater

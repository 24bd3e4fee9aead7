#pragma once

#include <optional>

#include "core/analysis/event_range.h"
#include "core/figure/figure_sheet.h"
#include "core/figure/stacked_groups.h"

namespace highwater {

/// Live bytes over the events of a range as stacked areas, with the reserved bytes, the device's capacity
/// where it is near, the highest moment, out-of-memory events, and the steps and phases above. Every column
/// of one pixel shows its highest moment: zooming out hides no spike. O(columns × live).
Figure timelineFigure(const DeviceStudy& study, const EventRange& range, const FigureOptions& options,
    std::optional<StackedBy> by = {});

} // namespace highwater

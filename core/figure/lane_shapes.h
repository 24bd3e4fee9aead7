#pragma once

#include "core/analysis/device/device_study.h"
#include "core/analysis/usage/event_range.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Draws one lane with the steps and one with the phases of a range of events, if the device has them,
/// starting at `top`; x as in `plot`. Returns their height with a gap below; 0 if nothing is drawn.
double drawLanes(
    FigureSheet& sheet, const DeviceStudy& study, const EventRange& range, double top, const PlotFrame& plot);

} // namespace highwater

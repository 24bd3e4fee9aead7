#pragma once

#include "core/analysis/device_study.h"
#include "core/figure/figure_sheet.h"

namespace highwater {

/// One bar for each step, or for several in a row where they are too many (step_bars.h): what was live at its
/// peak, by category, with the totals at its start and its end as lines.
Figure stepsFigure(const DeviceStudy& study, const FigureOptions& options);

} // namespace highwater

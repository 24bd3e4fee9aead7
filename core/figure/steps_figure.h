#pragma once

#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

/// One bar for each step, or for several consecutive ones if there are too many (step_bars.h): live bytes at
/// its peak, by category, with the totals at its start and its end as lines. The positions of `flags` are
/// indices into StepTable::steps; a range includes the last step that it touches.
Figure stepsFigure(
    const DeviceStudy& study, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater

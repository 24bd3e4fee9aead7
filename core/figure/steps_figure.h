#pragma once

#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/figure/sheet/figure_sheet.h"
#include "core/figure/sheet/note_flag.h"

namespace highwater {

/// One bar for each step, or for several in a row where they are too many (step_bars.h): what was live at its
/// peak, by category, with the totals at its start and its end as lines. `flags` are at indices of
/// StepTable::steps; a range ends with the last step that it touches.
Figure stepsFigure(
    const DeviceStudy& study, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater

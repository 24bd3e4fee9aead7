#pragma once

#include "core/analysis/device/device_study.h"
#include "core/analysis/steps/folded_steps.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Draws the complete steps folded on one, over the share of a step's events: the median as a line, the
/// middle 80% of the steps as an area, and the outliers as thin lines, with their names where there is room.
/// The id of an outlier's line and name is its step. `folded` comes from the study's steps. O(columns ×
/// outliers).
Figure foldedStepsFigure(const FoldedSteps& folded, const DeviceStudy& study, const FigureOptions& options);

} // namespace highwater

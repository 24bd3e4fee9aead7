#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Returns the height in pixels of a strip of all GPUs of the study, wrapped at `width`. If the configuration
/// or the user names GPUs, only those are in bold. For each GPU the strip shows the share taken by the
/// observed (else expected) bytes, and a text on the bytes that are left or missing; both are red only if the
/// run does not fit. Besides observed bytes it marks the expected ones if the configuration is known.
double gpuStripHeight(const BudgetStudy& study, double width);
/// Draws the strip across the sheet, from `top` down. O(GPUs).
void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top);

} // namespace highwater

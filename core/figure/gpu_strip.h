#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Returns the height in pixels of a strip of the nearest GPUs of the study, wrapped at the sheet's width.
/// Above the GPUs are the needs that all are compared with. Each GPU has a bar of what it must hold, with the
/// needs as marks, and the answer in the word of `gpuFitTable`. What is too much for it goes on past its end;
/// only a "no" is red. If the configuration or the user names GPUs, only those are in bold.
double gpuStripHeight(FigureSheet& sheet, const BudgetStudy& study);
/// Draws the strip across the sheet, from `top` down. O(GPUs).
void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top);

} // namespace highwater

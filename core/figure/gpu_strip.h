#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Returns the height in pixels of a strip of the nearest GPUs of the study, a row for all with the same
/// capacity and answer. Above them are the needs that all are compared with. Each row has a bar, all at one
/// scale of bytes: the GPU, and over it the needs. What is too much for it goes on past its end. The answer
/// is in the words of `gpuFitTable`; only a "no" is red. GPUs that the configuration or the user names are in
/// bold, each in its own row.
double gpuStripHeight(FigureSheet& sheet, const BudgetStudy& study);
/// Draws the strip across the sheet, from `top` down. O(GPUs).
void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top);

} // namespace highwater

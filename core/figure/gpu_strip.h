#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Returns the height in pixels of a strip of the nearest GPUs of the study. Adjacent GPUs with the same
/// capacity and answer share a row. Above the rows are the needs that all GPUs are compared with. Each row
/// has a bar for the GPU with a mark at its end, and over it the needs, which continue beyond the end of a
/// GPU that is too small. All bars have one scale of bytes, with a break in those of GPUs that are much
/// larger than the needs. The answer is in the words of `gpuFitTable`; a "no" is red. GPUs that the
/// configuration, the user or the heading names are in bold, each in its own row.
double gpuStripHeight(FigureSheet& sheet, const BudgetStudy& study);
/// Draws the strip across the sheet, from `top` down. O(GPUs).
void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top);

} // namespace highwater

#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// GPUs beside each other: the share of each that the observed (else expected) bytes take, a mark where the
/// expected bytes end, and in words what is left or missing. Pixels; wraps at `width`.
double gpuStripHeight(const BudgetStudy& study, double width);
/// From `top` down, across the sheet. O(GPUs).
void drawGpuStrip(FigureSheet& sheet, const BudgetStudy& study, double top);

} // namespace highwater

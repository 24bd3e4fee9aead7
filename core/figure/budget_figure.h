#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Draws a budget: the sum, for each line the expected bytes as an outlined bar with the range of the
/// estimate, below it the observed bytes as a filled bar, with the figures and their ratio, and last a strip
/// of GPUs (`drawGpuStrip`). All lines have one scale. Content that does not fit the sheet's height is
/// omitted, the GPUs first, then the last lines: `budgetFigureHeight` fits all. O(lines + GPUs).
Figure budgetFigure(const BudgetStudy& study, const FigureOptions& options);

/// Returns the height in pixels in which everything fits at `options.width`.
int budgetFigureHeight(const BudgetStudy& study, const FigureOptions& options);

} // namespace highwater

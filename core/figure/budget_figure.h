#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// A budget line by line: expected bytes as an outlined bar with the range of the estimate, below it what was
/// observed as a filled one, with the figures and their factor; then the sum, and the GPUs as a strip: how
/// much of each the run takes. One scale for all lines. Lines that do not fit the sheet's height are left
/// out, the GPUs first: `budgetFigureHeight` fits all. O(lines + GPUs).
Figure budgetFigure(const BudgetStudy& study, const FigureOptions& options);

/// Pixels; of a sheet `options.width` wide.
int budgetFigureHeight(const BudgetStudy& study, const FigureOptions& options);

} // namespace highwater

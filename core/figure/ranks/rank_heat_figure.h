#pragma once

#include "core/analysis/ranks/run_ranks.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// Draws the largest total of each rank in each step as a map: ranks downwards by stage and number, steps to
/// the right, in stronger colours for larger totals, scaled from the smallest to the largest of all. If there
/// are more ranks or steps than room, adjacent ones share a cell, which shows their largest total. The first
/// 200 failures are marked at the rank and the step, if they are known. Without steps, a sentence says so.
/// O(cells + pixels).
Figure rankHeatFigure(const RunRanks& run, const FigureOptions& options);

} // namespace highwater

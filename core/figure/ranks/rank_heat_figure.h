#pragma once

#include "core/analysis/ranks/run_ranks.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

/// The largest total of each rank in each step as a map: ranks downwards by stage and number, steps to the
/// right, darker where it is higher, between the lowest and the highest of all. Where there are more ranks or
/// steps than there is room, a cell is the highest of its neighbours. Ranks that ran out of memory have a
/// mark at the step in which they did. Without steps a sentence says so. O(cells + pixels).
Figure rankHeatFigure(const RunRanks& run, const FigureOptions& options);

} // namespace highwater

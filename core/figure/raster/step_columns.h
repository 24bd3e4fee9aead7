#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/pixel_columns.h"
#include "core/figure/layout/step_bars.h"

namespace highwater {

/// Steps narrower than this many pixels are not drawn event by event, because their columns would have chance
/// heights.
inline constexpr double kNarrowestStep = 3;
/// Groups of steps are at least this many pixels wide, so that they do not look like a comb.
inline constexpr double kNarrowestGroup = 10;

/// The pixel columns of a plot. If its steps are too narrow, they are drawn in groups, like the bars of the
/// chart of steps: each column shows the highest moment of all steps of the groups that it touches.
struct StepColumns
{
    std::vector<PixelColumn> columns;
    std::size_t stepsPerGroup = 0; ///< 0 if columns show events, because steps are wide enough or unknown
    /// By column, the peaks of its steps; 0 if it touches no step. Empty if columns show events.
    std::vector<PeakSpread> spreads;
};

/// Returns the columns of the range [begin, end) of the scale's axis; `pixel` columns make a pixel of the
/// screen. A group has 5, 10, 20, 50, … steps, counted from the first of the run, so that it stays the same
/// while the view moves. O(width × log events + steps × log steps).
StepColumns stepColumns(const UsageCurve& curve, const StepTable& table, const EventScale& scale,
    double begin, double end, int width, int pixel = 1);

} // namespace highwater

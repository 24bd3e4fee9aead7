#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/pixel_columns.h"

namespace highwater {

/// Steps narrower than this many pixels are not drawn event by event, because their columns would have chance
/// heights.
inline constexpr double kNarrowestStep = 3;

/// The pixel columns of a plot. If its steps are too narrow, each column shows the highest moment of the
/// groups of steps that it touches. A group is one step, or several if steps are narrower than a pixel of the
/// screen.
struct StepColumns
{
    std::vector<PixelColumn> columns;
    std::size_t stepsPerGroup = 0; ///< 0 if columns show events, because steps are wide enough or unknown
    /// By column, bytes at the end of its last group; 0 if no step is there. Empty if columns show events.
    std::vector<Bytes> ends;
};

/// Returns the columns of the range [begin, end) of the scale's axis; `pixel` columns make a pixel of the
/// screen. Groups are counted from the first step of the run, so they stay the same while the view moves.
/// O(width × log events).
StepColumns stepColumns(const UsageCurve& curve, const StepTable& table, const EventScale& scale,
    double begin, double end, int width, int pixel = 1);

} // namespace highwater

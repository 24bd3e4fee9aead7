#pragma once

#include <string>

#include "core/analysis/diff/logs/log_diff.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/series_plot.h"

namespace highwater {

/// A series that both logs have, and that `isDrawable`.
struct SeriesPairInFigure
{
    const Trace& before;
    const Trace& after;
    const SeriesPair& pair;
    std::string beforeName; ///< "before.log"
    std::string afterName;
};

/// Draws both series at one scale: the run before pale, the run after strong, with marks where either ran out
/// of memory, and the device's capacity if the logs state it. At most four points of a series are drawn per
/// pixel. O(points × log points).
Figure seriesPairFigure(const SeriesPairInFigure& input, const FigureOptions& options);

} // namespace highwater

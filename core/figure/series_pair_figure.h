#pragma once

#include <string>

#include "core/analysis/diff/log_diff.h"
#include "core/figure/series_plot.h"
#include "core/figure/sheet/figure_sheet.h"

namespace highwater {

/// A series that two logs have, and that `isDrawable`.
struct SeriesPairInFigure
{
    const Trace& before;
    const Trace& after;
    const SeriesPair& pair;
    std::string beforeName; ///< "before.log"
    std::string afterName;
};

/// Both series over each other on one scale: the run before pale, the run after strong, where memory ran out
/// in either, and the capacity of the device where the logs tell it. What is drawn of a series is at most
/// four points for each pixel. O(points).
Figure seriesPairFigure(const SeriesPairInFigure& what, const FigureOptions& options);

} // namespace highwater

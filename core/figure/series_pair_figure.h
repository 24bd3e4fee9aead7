#pragma once

#include <string>

#include "core/analysis/diff/log_diff.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/series_plot.h"

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

/// Both series overlaid on one scale: the run before pale, the run after strong, with marks where memory ran
/// out in either, and the device's capacity if the logs state it. At most four points of a series are drawn
/// per pixel. O(points).
Figure seriesPairFigure(const SeriesPairInFigure& what, const FigureOptions& options);

} // namespace highwater

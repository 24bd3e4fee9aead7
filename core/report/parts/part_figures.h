#pragma once

#include <functional>
#include <string>

#include "core/figure/drawing/figure_sheet.h"
#include "core/report/input/report_material.h"

namespace highwater {

inline constexpr int kFigureHeight = 460;

using DrawFigure = std::function<Figure(const FigureOptions&)>;

/// Returns the figure in both widths, at most `height` high. `source` is the name of the data in its title.
ReportFigure reportFigure(std::string id, std::string caption, const std::string& source,
    const DrawFigure& draw, int height = kFigureHeight);

} // namespace highwater

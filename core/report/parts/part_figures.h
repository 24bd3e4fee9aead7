#pragma once

#include <functional>
#include <string>

#include "core/figure/drawing/figure_sheet.h"
#include "core/report/input/report_material.h"

namespace highwater {

inline constexpr int kFigureHeight = 460;

using DrawFigure = std::function<Figure(const FigureOptions&)>;

/// The sheet of a figure.
struct ReportSheet
{
    std::string source; ///< Name of the data in the title
    int height = kFigureHeight; ///< In pixels, of the wide figure
    std::string headline = {}; ///< Title of a timeline; empty for the source
    bool titled = true; ///< False if the text above the figure is its title
};

/// Returns the figure in both widths.
ReportFigure reportFigure(
    std::string id, std::string caption, const ReportSheet& sheet, const DrawFigure& draw);
/// Returns a figure with a title.
ReportFigure reportFigure(std::string id, std::string caption, const std::string& source,
    const DrawFigure& draw, int height = kFigureHeight);

} // namespace highwater

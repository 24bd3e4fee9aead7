#pragma once

#include "app/cli/commands.h"
#include "core/figure/figure_sheet.h"

namespace highwater::cli {

/// Writes the figure as SVG to where the options say; the exit code.
int writeFigure(const Figure& figure, const FigureCommandOptions& options);

/// `--kind waterfall`: from the peak of the first file to that of the second; `--kind steps` of two files: their
/// steps side by side.
int runDiffFigure(const FigureCommandOptions& options, const FigureOptions& sheet);

} // namespace highwater::cli

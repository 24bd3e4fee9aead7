#pragma once

#include "app/cli/commands.h"
#include "core/figure/figure_sheet.h"

namespace highwater::cli {

/// Writes the figure as SVG to where the options say; the exit code.
int writeFigure(const Figure& figure, const FigureCommandOptions& options);

/// Of two files: `--kind waterfall`, from the peak of the first to that of the second; `--kind diff`, the
/// totals of both over each other; `--kind steps`, their steps side by side.
int runFigureOfTwo(const FigureCommandOptions& options, const FigureOptions& sheet);

} // namespace highwater::cli

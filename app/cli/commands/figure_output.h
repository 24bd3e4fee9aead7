#pragma once

#include "app/cli/commands/commands.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/run/note.h"

namespace highwater::cli {

/// From the "WxH" of --size; ends the command where no figure can be like that.
void setSize(FigureOptions& sheet, const std::string& command, const std::string& size);

/// The notes to draw as flags; empty without the option. Prints warnings about notes that are left out.
Notes notesFrom(const FigureCommandOptions& options);

/// Writes the figure as SVG to where the options say; the exit code.
int writeFigure(const Figure& figure, const FigureCommandOptions& options);

/// Of two files: `--kind waterfall`, from the peak of the first to that of the second; `--kind diff`, the
/// totals of both overlaid; `--kind steps`, their steps side by side.
int runFigureOfTwo(const FigureCommandOptions& options, const FigureOptions& sheet, const Notes& notes);

} // namespace highwater::cli

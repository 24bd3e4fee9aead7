#pragma once

#include <string>
#include <vector>

#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

/// Flags at one position of a figure: of one note, or of several that do not fit next to each other.
struct FlagPlace
{
    double x = 0; ///< of the hair line, in pixels
    double left = 0; ///< of the flag
    double right = 0;
    int row = 0; ///< 0 is next to the plot, 1 above it
    std::vector<NoteFlag> notes; ///< by number

    /// "3", "2–4", "2, 5", "2, 5, …".
    std::string label() const;
};

/// Positions of the notes' flags above a plot; uses its left, right, xBegin and xEnd. A flag that would touch
/// another one moves to a second row; if it does not fit there either, it is merged with the previous one.
/// Flags outside the plot are left out. O(flags × log flags).
std::vector<FlagPlace> placeFlags(const std::vector<NoteFlag>& flags, const PlotFrame& plot);

/// Height of the flags above the plot; 0 without flags.
double flagsHeight(const std::vector<FlagPlace>& places);

/// Draws the ranges as bands. Call it before the data is drawn, which the bands would otherwise tint.
void drawFlagBands(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places);
/// Draws the flags above the plot's upper edge, with a hairline down from each, and the extent of ranges as a
/// bar along that edge. Call it after the data is drawn.
void drawFlags(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places);

} // namespace highwater

#pragma once

#include <string>
#include <vector>

#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

/// A flag in a figure, for one note, or for several whose flags do not fit side by side.
struct FlagPlace
{
    double x = 0; ///< x of the hairline, in pixels
    double left = 0; ///< Left edge of the flag
    double right = 0;
    int row = 0; ///< 0 is next to the plot, 1 above it
    std::vector<NoteFlag> notes; ///< Ordered by number

    /// Returns a text such as "3", "2–4", "2, 5", "2, 5, 9", "2, 5, …".
    std::string label() const;
};

/// Returns the positions of the notes' flags above a plot, of which it uses left, right, xBegin and xEnd. A
/// flag that would touch another moves to a second row; if it does not fit there either, it is merged with
/// the previous flag. Flags outside the plot are omitted. O(flags × log flags), O(flags²) if most are merged.
std::vector<FlagPlace> placeFlags(const std::vector<NoteFlag>& flags, const PlotFrame& plot);

/// Returns the height of the flags above the plot; 0 without flags.
double flagsHeight(const std::vector<FlagPlace>& places);

/// Draws the ranges as bands, at most a hundred of them. Call it before the data is drawn, which the bands
/// would otherwise tint.
void drawFlagBands(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places);
/// Draws the flags above the plot's upper edge, with a hairline down from each, and the extent of the first
/// hundred ranges as bars along that edge. Call it after the data is drawn.
void drawFlags(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places);

} // namespace highwater

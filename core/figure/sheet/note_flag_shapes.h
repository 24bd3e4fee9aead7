#pragma once

#include <string>
#include <vector>

#include "core/figure/sheet/figure_sheet.h"
#include "core/figure/sheet/note_flag.h"

namespace highwater {

/// Flags at one place of a picture: of one note, or of several that have no room beside each other.
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

/// Where the flags of the notes stand above a plot, of which left, right, xBegin and xEnd count. What would
/// touch another one moves to a second row; what has no room there either is joined with the one before it.
/// What lies outside of the plot is left out. O(flags × log flags).
std::vector<FlagPlace> placeFlags(const std::vector<NoteFlag>& flags, const PlotFrame& plot);

/// Room that the flags take above the plot; 0 without flags.
double flagsHeight(const std::vector<FlagPlace>& places);

/// The ranges as bands: to be drawn before the data, whose colours they would change.
void drawFlagBands(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places);
/// The flags above the plot's upper edge, a hair line down from each, and how far ranges go as a bar along
/// that edge: to be drawn after the data.
void drawFlags(FigureSheet& sheet, const PlotFrame& plot, const std::vector<FlagPlace>& places);

} // namespace highwater

#pragma once

#include <string>

#include "core/figure/drawing/figure.h"
#include "core/run/note.h"

namespace highwater {

/// A note's number, flagged at its position in a figure over events, steps or lines.
struct NoteFlag
{
    int number = 1; ///< Number of the note, from 1
    double first = 0; ///< Position on the picture's x axis: an event, a step, …
    double last = 0; ///< Equal to `first`, or the end of a range
    NoteColor color = NoteColor::Red;
    std::string title; ///< Tooltip
};

/// Returns the colour, the same in light and dark; white text is readable on each.
FigureColor noteColor(NoteColor color);

} // namespace highwater

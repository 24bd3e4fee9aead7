#pragma once

#include <string>

#include "core/figure/drawing/figure.h"
#include "core/run/note.h"

namespace highwater {

/// The number of a note at its position in a figure over events, steps or lines.
struct NoteFlag
{
    int number = 1; ///< of the note, from 1
    double first = 0; ///< on the picture's x axis (the event whose state is meant, the step, …)
    double last = 0; ///< equal to `first`, or the end of a range
    NoteColor color = NoteColor::Red;
    std::string title; ///< tooltip
};

/// The same in light and dark; white text is readable on each.
FigureColor noteColor(NoteColor color);

} // namespace highwater

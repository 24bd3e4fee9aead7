#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One line of a stack for display: a frame, or a folded series of frames.
struct StackLine
{
    std::string text; ///< "forward  adapters.py:229", "4 frames of torch.nn"
    std::string place; ///< full path and line; empty for a series
    std::vector<StackLine> folded; ///< the frames of a series, innermost first; empty for a frame
};

/// Returns the Python frames innermost first, with adjacent frames of torch and of the standard library
/// folded, then all C++ frames folded into one line.
std::vector<StackLine> foldedStack(const Trace& trace, StackId stack);

/// Returns "torch.nn" for a file of torch, or "the standard library".
std::string libraryOf(std::string_view file);

/// Returns every frame on a line of its own, in the order of `foldedStack`, for the clipboard.
std::string plainStack(const Trace& trace, StackId stack);

} // namespace highwater

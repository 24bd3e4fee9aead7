#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One line of a stack for display: a frame, or a folded run of frames.
struct StackLine
{
    std::string text; ///< "forward  adapters.py:229", "4 frames of torch.nn"
    std::string place; ///< the full path and line; empty for a run
    std::vector<StackLine> folded; ///< the frames of a run, innermost first; empty for a frame
};

/// Python frames innermost first, runs of torch and of the standard library folded, then all C++ frames
/// folded to one line.
std::vector<StackLine> foldedStack(const Trace& trace, StackId stack);

/// "torch.nn" for a file of torch, "the standard library" for one of that.
std::string libraryOf(std::string_view file);

/// Every frame in one line, in the order of `foldedStack`: for the clipboard.
std::string plainStack(const Trace& trace, StackId stack);

} // namespace highwater

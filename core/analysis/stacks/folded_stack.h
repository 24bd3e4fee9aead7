#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// One line of a stack for display: a frame, or a folded series of frames.
struct StackLine
{
    std::string text; ///< "forward (adapters.py:229)", "4 frames of torch.nn"
    std::string place; ///< full path and line; empty for a series
    std::vector<StackLine> folded; ///< the frames of a series, innermost first; empty for a frame
    FrameId frame = FrameId(); ///< isNone() for a series
    std::string function = {}; ///< empty for a series
};

/// Returns the Python frames, innermost first, then one line with all C++ frames. Adjacent library frames are
/// folded into one line. O(frames).
std::vector<StackLine> foldedStack(const Trace& trace, StackId stack);

/// Returns "torch.nn" or "torch" for a file of torch, "torch.compile" for code that it generated, "triton",
/// or "the standard library". `file` must be a library file (`isLibraryFile`).
std::string libraryName(std::string_view file);

/// Returns the stack as text for the clipboard: one line for each frame, in the order of `foldedStack`.
std::string plainStack(const Trace& trace, StackId stack);

} // namespace highwater

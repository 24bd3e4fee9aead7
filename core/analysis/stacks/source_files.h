#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// True if a Python file belongs to torch, functorch, triton, Highwater's recorder or the standard library.
bool isLibraryFile(std::string_view file);
/// True if a Python file is the user's own: not of torch, the standard library or an installed package.
bool isUserFile(std::string_view file);
/// True for files of Highwater itself: replacements of torch's functions in a rehearsal, and code that
/// `highwater record` prints or uses.
bool isRecorderFile(std::string_view path);

/// True for a path with a drive letter, "C:/train.py".
bool isWindowsPath(std::string_view file);
/// True if a frame of the trace has a Windows path. O(frames).
bool hasWindowsPaths(const Trace& trace);

} // namespace highwater

#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// By frame: the first frame of the trace that reads the same, by function, file and line. Frames differ and
/// read the same where only their details differ, where control characters are replaced, and where lines are
/// not known. Empty: no two read the same. O(frames).
std::vector<FrameId> firstFrames(const Trace& trace);

} // namespace highwater

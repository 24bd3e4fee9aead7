#pragma once

#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// Returns, for each frame, the first frame of the trace with the same displayed function, file and line.
/// Different frames are displayed with the same text if only their details differ, if control characters are
/// replaced, or if lines are unknown. Empty if all texts differ. O(frames).
std::vector<FrameId> firstFrames(const Trace& trace);

} // namespace highwater

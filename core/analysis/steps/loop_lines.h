#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// A training loop found by its lines: the outermost function whose line goes back to the same one again and
/// again.
struct LoopLine
{
    FrameId head; ///< the frame with the line that each round begins with
    std::vector<std::int64_t> begins; ///< first alloc event of each round, ascending; at least two
    bool even = false; ///< all rounds but the first and the last are of about one length
};

/// Follows the stacks of alloc events from the outermost Python frame in, along the line that most of them
/// pass, up to frames that stand for a phase (a layer's loop is no training loop). O(events + stacks ×
/// depth).
std::optional<LoopLine> findLoopLine(const StepInput& input);

} // namespace highwater

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// A training loop recognised by its lines: the outermost function whose line returns to the same one again
/// and again.
struct LoopLine
{
    FrameId head; ///< the frame with the line that each round begins with
    std::vector<std::int64_t> begins; ///< first alloc event of each round, ascending; at least two
    bool even = false; ///< all rounds except the first and the last have about the same length
};

/// Follows the stacks of alloc events from the outermost Python frame in, along the line that most of them
/// share, up to frames that identify a phase (a layer's loop is no training loop). O(events + stacks ×
/// depth).
std::optional<LoopLine> findLoopLine(const StepInput& input);

} // namespace highwater

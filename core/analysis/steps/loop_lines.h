#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// A training loop recognised by its lines: the outermost function whose line returns to the same one
/// repeatedly.
struct LoopLine
{
    FrameId head; ///< frame with the line at which each round begins
    std::vector<std::int64_t> begins; ///< first alloc event of each round, ascending; at least two
    bool even = false; ///< true if all rounds except the first and the last have about the same length
};

/// Follows the stacks of alloc events inwards from the outermost Python frame, along the line that most of
/// them share, up to frames that identify a phase (a layer's loop is no training loop). O(events + stacks ×
/// depth).
std::optional<LoopLine> findLoopLine(const StepInput& input);

} // namespace highwater

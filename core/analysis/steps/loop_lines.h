#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// A training loop recognised by line numbers: the outermost function in which the execution repeatedly jumps
/// back to one line.
struct LoopLine
{
    FrameId head; ///< frame with the line where each round begins
    std::vector<std::int64_t> begins; ///< first alloc event of each round, ascending; at least two
    bool isEven = false; ///< true if all rounds except the first and the last are within 25% of the median
};

/// Finds the line of the training loop; nullopt if there is none. Follows the stacks of alloc events inwards
/// from the outermost Python frame, always along the frame with most allocations. Stops at frames that
/// identify a phase, because a loop over layers is no training loop, and after 24 frames. O((events × log
/// functions + stacks) × levels).
std::optional<LoopLine> findLoopLine(const StepInput& input);

} // namespace highwater

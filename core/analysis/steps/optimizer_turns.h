#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// Returns those of `ends` (ends of optimizer phases, ascending) that end a step. Optimizers that take turns
/// (generator and discriminator, actor and critic) make one step per round. They take turns if one phase's
/// backward consumes the graphs of other lines of the user's code than the next one's, in a repeating order,
/// either from the start or after a first stage of at most half of them. Returns all ends if they do not take
/// turns or if stacks do not show it. Judges by the first phases: O(allocations before the end of the 48th ×
/// log phases).
std::vector<std::int64_t> endsOfRounds(const StepInput& input, std::vector<std::int64_t> ends);

} // namespace highwater

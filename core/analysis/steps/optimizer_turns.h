#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// Selects the ends of steps from the ends of optimizer phases, which must be ascending. If several
/// optimizers take turns (generator and discriminator, actor and critic), one round of turns is one step.
/// Optimizers take turns if their backwards free the memory of different lines of the user's code, in a
/// repeating order. The order may begin after a first stage of at most half of the examined phases. Returns
/// all ends if optimizers do not take turns, if stacks do not show it, or if a round has more than eight
/// phases. Examines the first 48 phases: O(allocations before their end × log phases).
std::vector<std::int64_t> selectStepEnds(const StepInput& input, std::vector<std::int64_t> ends);

} // namespace highwater

#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

/// Optimizers that take turns (generator and discriminator, actor and critic) make one step a round: of the
/// `ends` of their runs, ascending, those that end a round. They take turns where the lines of the user's
/// code whose graphs one run's backward consumes are other lines than those of the next, in an order that
/// repeats, if not from the first run on, then behind a first stage of at most half of them. All of them
/// where they do not, or where stacks do not tell. Judged by the first runs: O(allocations before the end of
/// the 48th × log phases).
std::vector<std::int64_t> endsOfRounds(const StepInput& input, std::vector<std::int64_t> ends);

} // namespace highwater

#pragma once

#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Corrects phases that were told from names of functions, or not at all, by what lives and dies in them:
/// - What a backward consumes, a forward made, whatever the function around it is called: a policy's
///   `logprobs` is no scoring. The part of such a range from the first such allocation on becomes Forward.
///   Behind the last backward, what is never freed and comes from the same stacks stands for it: memory ran
///   out, or the recording ends.
/// - Code behind a backward that allocates or frees several blocks of the sizes that the backward left
/// behind,
///   before the next forward, updates parameters: an optimizer of the user's own.
/// Annotations are not corrected. The ranges must tile the device's events. O(allocations + ranges).
std::vector<PhaseRange> correctedByLifetimes(
    std::vector<PhaseRange> ranges, const AllocationTable& allocations);

} // namespace highwater

#pragma once

#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Corrects phases known only from function names, and unknown ones, by the lifetimes of their blocks:
/// - Blocks consumed by a backward were made by a forward, whatever the function's name: a policy's
///   `logprobs` is no scoring. The part of such a range from the first block of the graph on becomes Forward.
///   After the last backward, blocks from the same stacks that are never freed count as well, since memory
///   ran out or the recording ended.
/// - Code after a backward that, before the next forward, allocates or frees several blocks of sizes that the
///   backward left behind is the user's own optimizer.
/// Annotations are not corrected. The ranges must tile the device's events. O(allocations + ranges).
std::vector<PhaseRange> correctedByLifetimes(
    std::vector<PhaseRange> ranges, const AllocationTable& allocations);

} // namespace highwater

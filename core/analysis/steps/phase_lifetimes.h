#pragma once

#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Corrects phases known only from function names, and unknown ones, by the lifetimes of their blocks:
/// - A range whose blocks are freed by a later backward contains a forward, whatever the function's name. The
///   range becomes Forward from the first block of the graph on. After the last backward, blocks of the same
///   stacks that are never freed count as well, because memory ran out or the recording ended. An unknown
///   range is examined only directly before a backward.
/// - An unknown range between two backwards becomes Backward, unless it contains a forward or
///   `endsBackward`.
/// - Another unknown range directly after a backward is an optimizer if it allocates or frees at least four
///   blocks whose sizes the backward left behind.
/// Phases from annotations are not corrected. The ranges must tile the device's events. O(allocations × log
/// ranges + ranges).
std::vector<PhaseRange> correctedByLifetimes(
    std::vector<PhaseRange> ranges, const AllocationTable& allocations);

} // namespace highwater

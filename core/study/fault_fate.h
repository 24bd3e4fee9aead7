#pragma once

#include <cstdint>

#include "core/study/run_study.h"

namespace highwater {

/// The evidence of a later run about a fault of an earlier one, if its findings do not report it.
enum class FaultFate : std::uint8_t
{
    /// The later run reached the same phase, was examined there, and no longer keeps the fault's memory.
    Gone,
    /// The same blocks are still alive in that phase, but the run's peak would not fall without them.
    OffPeak,
    /// The later run did not reach that phase, or has no data in which the fault could be found.
    NotSeen,
};

/// Compares a fault of the earlier run with the later run, which does not report its rule. Blocks are the
/// same if category and size agree, and if they are older than their step in both runs or in neither.
/// O(allocations + phases).
FaultFate faultFate(const Finding& fault, const RunStudy& before, const RunStudy& after);

} // namespace highwater

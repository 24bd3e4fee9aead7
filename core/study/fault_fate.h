#pragma once

#include <cstdint>

#include "core/study/run_study.h"

namespace highwater {

/// The evidence of a later run about a fault of an earlier one, if its findings do not report it.
enum class FaultFate : std::uint8_t
{
    /// The later run has the data in which the fault would show, and does not show it.
    Gone,
    /// At least three quarters of the same blocks' bytes are alive at a high moment in the phase of the fault
    /// (at the peak if the phase is unknown), without being reported.
    Unreported,
    /// The later run has too few steps for the fault to show, or no data in which it would show.
    NotSeen,
};

/// Compares a fault of the earlier run with the later run, which does not report its rule. Blocks are the
/// same if category and size agree, and if they are older than their step in both runs or in neither.
/// O(allocations + phases).
FaultFate faultFate(const Finding& fault, const RunStudy& before, const RunStudy& after);

} // namespace highwater

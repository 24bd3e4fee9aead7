#pragma once

#include "core/analysis/steps/phase_table.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Finds the phase of every event: from annotations, else from the frames of its stack, else from its
/// neighbours (`phasesFromEvidence`). Lifetimes then correct the result (`correctedByLifetimes`). All events
/// of a summary are Unknown. O((events + spans) × log events + frames + stacks).
PhaseTable findPhases(const AllocationTable& allocations);

} // namespace highwater

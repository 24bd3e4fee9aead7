#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/diff/matching/step_alignment.h"
#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// The event in each run at which the steps that both recordings have end; kNone if the run has no further
/// steps, or if there are no such steps.
struct SharedEnds
{
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::int64_t before = kNone;
    std::int64_t after = kNone;
};

/// Finds the ends by the last pair of aligned steps that both runs have. O(pairs).
SharedEnds sharedEnds(const StepTable& before, const StepTable& after, const AlignedSteps& aligned);

/// Sets `DiffRow::cut` and moves such rows to the end. A row is cut if only one run has it, and
/// - StartsLate: all its allocations are older than the recording, and their stacks were not recorded; or
/// - EndsEarly: the run first allocates there after the shared end, and the other run never does.
///
/// Only rows by place (stack, call site, function, file) of two runs are cut. O(allocations), less if no row
/// has one side only.
void markCutRows(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes,
    const SharedEnds& ends, RunDiff& diff);

/// Returns a sentence for each reason and side: "+32 MiB cannot be compared: the later recording starts late,
/// so the code that allocated these bytes is unknown". Without a final full stop; empty if all rows can be
/// compared.
std::vector<std::string> cutSentences(const RunDiff& diff);

} // namespace highwater

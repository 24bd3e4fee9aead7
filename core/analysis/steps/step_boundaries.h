#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/event_range.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/trace/trace.h"

namespace highwater {

/// What the steps of one device are told by.
struct StepInput
{
    const Trace& trace;
    const AllocationTable& allocations;
    const UsageCurve& curve;
    const PhaseTable& phases;
    bool tellsForward = phases.tells(Phase::Forward);

    DeviceIndex device() const { return allocations.device(); }
    std::int64_t eventCount() const { return allocations.eventCount(); }
    Action action(std::int64_t event) const { return trace.events.action[trace.row(device(), event)]; }
    /// Whether an event of [begin, end) allocates. O(events up to the first that does).
    bool allocatesIn(std::int64_t begin, std::int64_t end) const;
};

/// Where a step begins. An empty name becomes "step N".
struct StepMark
{
    std::int64_t begin = 0;
    std::string name;
    bool complete = true;
    std::optional<std::pair<StepSource, Grade>> toldBy = {}; ///< where it is not told like the others
};

/// The steps as one source sees them: marks in ascending order, two at one event allowed (the last counts).
/// What stands before the first mark becomes a step `warm-up` if it allocates, else part of the first step.
struct StepBoundaries
{
    std::vector<StepMark> marks;
    Grade grade = Grade::A;
    std::string reason; ///< one sentence
    /// Events that the marks' ranges cover, by begin; empty: marks have no ranges, or cover everything.
    std::vector<EventRange> covered = {};
};

// One function for each source; nothing where it cannot tell steps apart.
std::optional<StepBoundaries> profilerStepBoundaries(const StepInput& input);
std::optional<StepBoundaries> optimizerAnnotationBoundaries(const StepInput& input);
/// With a pattern, annotations whose names it matches; otherwise those that come again and are called steps,
/// else marks that are, else the ends of ranges around the optimizer.
std::optional<StepBoundaries> rangeBoundaries(const StepInput& input, const std::string& pattern);
/// What is wrong with a pattern; none: nothing.
std::optional<std::string> stepPatternProblem(const std::string& pattern);
std::optional<StepBoundaries> frameBoundaries(const StepInput& input);
std::optional<StepBoundaries> periodBoundaries(const StepInput& input);
std::optional<StepBoundaries> manualBoundaries(
    const StepInput& input, const std::vector<std::int64_t>& markers);

/// Steps that end where optimizers do: `ends` are events behind an optimizer's work, ascending. Those without
/// forward allocations between them are one; what follows the last is an incomplete step.
StepBoundaries boundariesFromOptimizers(const StepInput& input, const std::vector<std::int64_t>& ends);

/// Whether forward allocates in [begin, end). Where the trace does not tell forward, anything does that is
/// not known to be something else.
bool runsForward(const StepInput& input, std::int64_t begin, std::int64_t end);

/// Leaves what the ranges of `found` do not cover to the steps that `others` tell, first come first served:
/// those that do their work outside of the ranges. Where none does, the step before goes on; behind the last
/// range a forward begins an incomplete step.
void fillUncovered(const StepInput& input, StepBoundaries& found,
    const std::function<std::optional<StepBoundaries>(StepSource)>& boundaries,
    std::span<const StepSource> others);

/// Forward-backward pairs in events [begin, end): where the forward of each begins. Ranges that allocate
/// nothing do not count.
std::vector<std::int64_t> forwardBackwardPairs(const StepInput& input, std::int64_t begin, std::int64_t end);

/// Where the backward of each forward-backward pair of the trace ends.
std::vector<std::int64_t> backwardEnds(const StepInput& input);

} // namespace highwater

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/steps.h"

namespace highwater {

/// What the steps of one device are told by.
struct StepInput
{
    const Trace& trace;
    const AllocationTable& allocations;
    const UsageCurve& curve;
    const PhaseTable& phases;

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
};

/// The steps as one source sees them: marks in ascending order, two at one event allowed (the last counts).
/// What stands before the first mark becomes a step `warm-up` if it allocates, else part of the first step.
struct StepBoundaries
{
    std::vector<StepMark> marks;
    Grade grade = Grade::A;
    std::string reason; ///< one sentence
};

// One function for each source; nothing where it cannot tell steps apart.
std::optional<StepBoundaries> profilerStepBoundaries(const StepInput& input);
std::optional<StepBoundaries> optimizerAnnotationBoundaries(const StepInput& input);
/// With a pattern, annotations whose names it matches; otherwise those that come again and are called steps,
/// else marks that are, else the ends of ranges around the optimizer.
std::optional<StepBoundaries> rangeBoundaries(const StepInput& input, const std::string& pattern);
std::optional<StepBoundaries> frameBoundaries(const StepInput& input);
std::optional<StepBoundaries> periodBoundaries(const StepInput& input);
std::optional<StepBoundaries> manualBoundaries(
    const StepInput& input, const std::vector<std::int64_t>& markers);

/// Steps that end where optimizers do: `ends` are events behind an optimizer's work, ascending. Those without
/// forward allocations between them are one; what follows the last is an incomplete step.
StepBoundaries boundariesFromOptimizers(const StepInput& input, const std::vector<std::int64_t>& ends);

/// Forward-backward pairs in events [begin, end): where the forward of each begins. Ranges that allocate
/// nothing do not count.
std::vector<std::int64_t> forwardBackwardPairs(const StepInput& input, std::int64_t begin, std::int64_t end);

/// Where the backward of each forward-backward pair of the trace ends.
std::vector<std::int64_t> backwardEnds(const StepInput& input);

} // namespace highwater

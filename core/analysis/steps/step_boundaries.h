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

/// The input for finding the steps of one device.
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

/// The beginning of a step. An empty name becomes "step N".
struct StepMark
{
    std::int64_t begin = 0;
    std::string name;
    bool complete = true;
    std::optional<std::pair<StepSource, Grade>> toldBy = {}; ///< where it is not told like the others
};

/// The steps as one source sees them: marks in ascending order, two at one event allowed (the last counts).
/// Events before the first mark become a step `warm-up` if they allocate, else part of the first step.
struct StepBoundaries
{
    std::vector<StepMark> marks;
    Grade grade = Grade::A;
    std::string reason; ///< one sentence
    /// Event ranges that the marks cover, by begin; empty: marks have no ranges, or cover everything.
    std::vector<EventRange> covered = {};
};

// One function for each source; empty if it cannot find steps.
std::optional<StepBoundaries> profilerStepBoundaries(const StepInput& input);
std::optional<StepBoundaries> optimizerAnnotationBoundaries(const StepInput& input);
/// With a pattern, annotations whose names match it; otherwise annotations that repeat and are named as
/// steps, else marks that are, else the ends of ranges around the optimizer.
std::optional<StepBoundaries> rangeBoundaries(const StepInput& input, const std::string& pattern);
/// Why a pattern is invalid; none: it is valid.
std::optional<std::string> stepPatternProblem(const std::string& pattern);
std::optional<StepBoundaries> frameBoundaries(const StepInput& input);
std::optional<StepBoundaries> periodBoundaries(const StepInput& input);
std::optional<StepBoundaries> manualBoundaries(
    const StepInput& input, const std::vector<std::int64_t>& markers);

/// The steps that a summary tells of its recording; empty: the trace was not made of a summary.
std::optional<StepTable> summarySteps(const StepInput& input);

/// Steps that end where optimizers do: `ends` are the events after an optimizer's work, ascending. Ends
/// without forward allocations between them are merged; events after the last end form an incomplete step.
StepBoundaries boundariesFromOptimizers(const StepInput& input, const std::vector<std::int64_t>& ends);

/// Whether forward allocates in [begin, end). If the trace has no forward phase, any allocation counts whose
/// phase is not known to be another one.
bool runsForward(const StepInput& input, std::int64_t begin, std::int64_t end);

/// Assigns events outside the ranges of `found` to the steps of `others`, first come first served: steps that
/// run outside of the ranges. Where no source has one, the previous step continues; after the last range a
/// forward begins an incomplete step.
void fillUncovered(const StepInput& input, StepBoundaries& found,
    const std::function<std::optional<StepBoundaries>(StepSource)>& boundaries,
    std::span<const StepSource> others);

/// Forward-backward pairs in events [begin, end): the event at which the forward of each begins. Ranges that
/// allocate nothing do not count.
std::vector<std::int64_t> forwardBackwardPairs(const StepInput& input, std::int64_t begin, std::int64_t end);

/// The end of the backward of each forward-backward pair of the trace.
std::vector<std::int64_t> backwardEnds(const StepInput& input);

} // namespace highwater

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
    bool hasForward = phases.has(Phase::Forward);

    DeviceIndex device() const { return allocations.device(); }
    std::int64_t eventCount() const { return allocations.eventCount(); }
    Action action(std::int64_t event) const { return trace.events.action[trace.row(device(), event)]; }
    /// True if an event of [begin, end) allocates. O(events before the first allocation).
    bool allocatesIn(std::int64_t begin, std::int64_t end) const;
};

/// The beginning of a step. An empty name becomes "step N".
struct StepMark
{
    std::int64_t begin = 0;
    std::string name;
    bool isComplete = true;
    /// Source and grade, if they differ from those of the other marks.
    std::optional<std::pair<StepSource, Grade>> sourceAndGrade = {};
};

/// The steps that one source finds, as marks in ascending order. If two marks are at one event, the last one
/// counts. Events before the first mark become the step `warm-up` if they allocate, else a part of the first
/// step.
struct StepBoundaries
{
    std::vector<StepMark> marks;
    Grade grade = Grade::A;
    std::string reason; ///< one sentence
    /// Event ranges that the marks cover, by start; empty if marks have no ranges or cover everything.
    std::vector<EventRange> covered = {};
};

// These functions find the steps of one source; nullopt if it finds none.
std::optional<StepBoundaries> profilerStepBoundaries(const StepInput& input);
std::optional<StepBoundaries> optimizerAnnotationBoundaries(const StepInput& input);
/// Finds steps by annotations: with a pattern, by those whose names match it.
std::optional<StepBoundaries> rangeBoundaries(const StepInput& input, const std::string& pattern);
std::optional<StepBoundaries> frameBoundaries(const StepInput& input);
std::optional<StepBoundaries> periodBoundaries(const StepInput& input);
std::optional<StepBoundaries> manualBoundaries(
    const StepInput& input, const std::vector<std::int64_t>& markers);

/// Returns why a pattern is invalid, or nullopt if it is valid.
std::optional<std::string> stepPatternProblem(const std::string& pattern);

/// Returns the steps of the recording from which a summary was made; nullopt if the trace has none.
std::optional<StepTable> summarySteps(const StepInput& input);

/// Makes steps that end with an optimizer. `ends` are the events after each optimizer phase, ascending. Ends
/// without forward allocations between them are merged, and those of a round of optimizers that take turns
/// (`selectStepEnds`). Events after the last end form an incomplete step, or Step::kRemainder if they train
/// nothing.
StepBoundaries boundariesFromOptimizers(const StepInput& input, const std::vector<std::int64_t>& ends);

/// True if forward allocates in [begin, end). If the trace has no forward phase, any allocation in an unknown
/// phase counts.
bool runsForward(const StepInput& input, std::int64_t begin, std::int64_t end);

/// Adds steps of other sources for the events outside `found.covered`. The sources in `others` are tried in
/// order, except those that give only hints (grade C); a step is added only if its forward runs entirely
/// outside the ranges. If no source has such a step, the previous step continues. After the last range, a
/// forward then begins the incomplete Step::kRemainder. Adds the reasons of the sources to that of `found`.
void fillUncovered(const StepInput& input, StepBoundaries& found,
    const std::function<std::optional<StepBoundaries>(StepSource)>& boundaries,
    std::span<const StepSource> others);

/// Returns the start in events [begin, end) of the forward of each forward-backward pair. Ranges that
/// allocate nothing do not count.
std::vector<std::int64_t> forwardStartsOfPairs(const StepInput& input, std::int64_t begin, std::int64_t end);

/// Returns the ends of the backwards; of several without a forward between them only the last. Ranges that
/// allocate nothing, and backwards before the first forward, do not count.
std::vector<std::int64_t> backwardEnds(const StepInput& input);

} // namespace highwater

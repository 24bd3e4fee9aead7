#include "core/analysis/steps/step_boundaries.h"

#include <algorithm>

#include "core/analysis/steps/event_spans.h"
#include "core/analysis/steps/optimizer_turns.h"
#include "core/base/hash.h"

namespace highwater {

namespace {

/// Number of steps before the tail whose stacks show from where training allocates.
constexpr std::size_t kStepsExamined = 2;

/// Visits the phase ranges within [begin, end) in order; `visit` returns true to stop.
template <typename Visit>
bool visitRanges(const PhaseTable& phases, std::int64_t begin, std::int64_t end, Visit visit)
{
    const std::vector<PhaseRange>& ranges = phases.ranges();
    auto range = std::ranges::upper_bound(ranges, begin, {}, &PhaseRange::end);
    for (; range != ranges.end() && range->begin < end; ++range)
        if (visit(range->phase, std::max(begin, range->begin), std::min(end, range->end)))
            return true;
    return false;
}

/// Returns the stacks of memory that was allocated in a forward of events [begin, end) and freed in a
/// backward.
NumberSet<StackId> trainedStacks(const StepInput& input, std::int64_t begin, std::int64_t end)
{
    NumberSet<StackId> stacks;
    const AllocationTable& allocations = input.allocations;
    const auto first = std::ranges::lower_bound(allocations.births(), begin) - allocations.births().begin();
    for (auto i = static_cast<AllocationIndex>(first); i < allocations.size() && allocations.birth(i) < end;
         ++i)
        if (allocations.death(i) <= end && input.phases.at(allocations.death(i)) == Phase::Backward
            && input.phases.at(allocations.birth(i)) == Phase::Forward
            && input.trace.stacks.hasFrames(allocations.stack(i)))
            stacks.insert(allocations.stack(i));
    return stacks;
}

/// True if the events from `tailBegin` on are training: one of them allocates from a stack that
/// `trainedStacks` finds from `examinedBegin` to the tail. If it finds none, any allocation counts.
bool isTrainingTail(const StepInput& input, std::int64_t examinedBegin, std::int64_t tailBegin)
{
    const NumberSet<StackId> trained = trainedStacks(input, examinedBegin, tailBegin);
    if (trained.empty())
        return input.allocatesIn(tailBegin, input.eventCount());
    for (std::int64_t event = tailBegin; event < input.eventCount(); ++event)
        if (isAllocationAction(input.action(event))
            && trained.contains(input.trace.events.stack[input.trace.row(input.device(), event)]))
            return true;
    return false;
}

} // namespace

bool runsForward(const StepInput& input, std::int64_t begin, std::int64_t end)
{
    const Phase forwardPhase = input.hasForward ? Phase::Forward : Phase::Unknown;
    return visitRanges(input.phases, begin, end, [&](Phase phase, std::int64_t first, std::int64_t last) {
        return phase == forwardPhase && input.allocatesIn(first, last);
    });
}

StepBoundaries boundariesFromOptimizers(const StepInput& input, const std::vector<std::int64_t>& ends)
{
    std::vector<std::int64_t> stepEnds;
    for (const std::int64_t end : ends) {
        if (end <= 0)
            continue;
        if (!stepEnds.empty() && !runsForward(input, stepEnds.back(), end))
            stepEnds.back() = std::max(stepEnds.back(), end);
        else
            stepEnds.push_back(end);
    }
    stepEnds = selectStepEnds(input, std::move(stepEnds));
    StepBoundaries found;
    std::int64_t begin = 0;
    for (const std::int64_t end : stepEnds) {
        found.marks.push_back({begin, {}, true});
        begin = end;
    }
    if (begin < input.eventCount()) {
        const std::int64_t examinedBegin
            = stepEnds.size() > kStepsExamined ? stepEnds[stepEnds.size() - 1 - kStepsExamined] : 0;
        found.marks.push_back(
            {begin, isTrainingTail(input, examinedBegin, begin) ? "" : std::string(Step::kRemainder), false});
    }
    return found;
}

std::optional<StepBoundaries> optimizerAnnotationBoundaries(const StepInput& input)
{
    std::vector<std::int64_t> ends;
    visitEventSpans(input.trace, input.device(), [&](const EventSpan& span) {
        if (isOptimizerStepAnnotation(span.name) && !span.span->endMissing)
            ends.push_back(span.end);
    });
    std::ranges::sort(ends);
    if (ends.empty() || ends.back() <= 0)
        return std::nullopt;
    StepBoundaries found = boundariesFromOptimizers(input, ends);
    found.grade = Grade::A;
    found.reason = "from the Optimizer.step annotations";
    return found;
}

std::vector<std::int64_t> forwardStartsOfPairs(const StepInput& input, std::int64_t begin, std::int64_t end)
{
    std::vector<std::int64_t> starts;
    std::int64_t forwardBegin = -1;
    visitRanges(input.phases, begin, end, [&](Phase phase, std::int64_t first, std::int64_t last) {
        if (phase == Phase::Forward && forwardBegin < 0 && input.allocatesIn(first, last))
            forwardBegin = first;
        if (phase == Phase::Backward && forwardBegin >= 0 && input.allocatesIn(first, last)) {
            starts.push_back(forwardBegin);
            forwardBegin = -1;
        }
        return false;
    });
    return starts;
}

std::vector<std::int64_t> backwardEnds(const StepInput& input)
{
    std::vector<std::int64_t> ends;
    bool isAfterForward = false;
    for (const PhaseRange& range : input.phases.ranges()) {
        const bool allocates = (range.phase == Phase::Forward || range.phase == Phase::Backward)
            && input.allocatesIn(range.begin, range.end);
        if (!allocates)
            continue;
        if (range.phase == Phase::Backward && isAfterForward)
            ends.push_back(range.end);
        else if (range.phase == Phase::Backward && !ends.empty())
            ends.back() = range.end;
        isAfterForward = range.phase == Phase::Forward;
    }
    return ends;
}

bool StepInput::allocatesIn(std::int64_t begin, std::int64_t end) const
{
    const Action* actions = trace.events.action.data() + trace.devices[device()].events.first;
    return std::any_of(actions + begin, actions + end, isAllocationAction);
}

} // namespace highwater

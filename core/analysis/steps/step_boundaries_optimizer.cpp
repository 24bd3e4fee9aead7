#include "core/analysis/steps/step_boundaries.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/steps/event_spans.h"
#include "core/analysis/steps/optimizer_turns.h"
#include "core/base/hash.h"

namespace highwater {

namespace {

/// This many steps suffice to show where a step allocates.
constexpr std::size_t kStepsLookedAt = 2;

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

/// Returns the stacks in events [begin, end) that allocated memory in forward which a backward consumed.
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

/// True if the events after the last optimizer, which ended at `last`, belong to another step: they allocate
/// from a stack that the steps since `before` train with, or allocate at all if stacks are unknown. Otherwise
/// they are an evaluation or the end of the program.
bool beginsAStep(const StepInput& input, std::int64_t before, std::int64_t last)
{
    const NumberSet<StackId> trained = trainedStacks(input, before, last);
    if (trained.empty())
        return input.allocatesIn(last, input.eventCount());
    for (std::int64_t event = last; event < input.eventCount(); ++event)
        if (isBirth(input.action(event))
            && trained.contains(input.trace.events.stack[input.trace.row(input.device(), event)]))
            return true;
    return false;
}

} // namespace

bool runsForward(const StepInput& input, std::int64_t begin, std::int64_t end)
{
    const Phase counted = input.tellsForward ? Phase::Forward : Phase::Unknown;
    return visitRanges(input.phases, begin, end, [&](Phase phase, std::int64_t first, std::int64_t last) {
        return phase == counted && input.allocatesIn(first, last);
    });
}

StepBoundaries boundariesFromOptimizers(const StepInput& input, const std::vector<std::int64_t>& ends)
{
    std::vector<std::int64_t> kept;
    for (const std::int64_t end : ends) {
        if (end <= 0)
            continue;
        if (!kept.empty() && !runsForward(input, kept.back(), end))
            kept.back() = std::max(kept.back(), end);
        else
            kept.push_back(end);
    }
    kept = endsOfRounds(input, std::move(kept));
    StepBoundaries found;
    std::int64_t begin = 0;
    for (const std::int64_t end : kept) {
        found.marks.push_back({begin, {}, true});
        begin = end;
    }
    if (begin < input.eventCount()) {
        const std::int64_t before = kept.size() > kStepsLookedAt ? kept[kept.size() - 1 - kStepsLookedAt] : 0;
        found.marks.push_back(
            {begin, beginsAStep(input, before, begin) ? "" : std::string(Step::kRemainder), false});
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
    found.reason = fmt::format("from the Optimizer.step annotations: a step ends where its optimizer does");
    return found;
}

std::vector<std::int64_t> forwardBackwardPairs(const StepInput& input, std::int64_t begin, std::int64_t end)
{
    std::vector<std::int64_t> pairs;
    std::int64_t forward = -1;
    visitRanges(input.phases, begin, end, [&](Phase phase, std::int64_t first, std::int64_t last) {
        if (phase == Phase::Forward && forward < 0 && input.allocatesIn(first, last))
            forward = first;
        if (phase == Phase::Backward && forward >= 0 && input.allocatesIn(first, last)) {
            pairs.push_back(forward);
            forward = -1;
        }
        return false;
    });
    return pairs;
}

std::vector<std::int64_t> backwardEnds(const StepInput& input)
{
    std::vector<std::int64_t> ends;
    bool forward = false;
    for (const PhaseRange& range : input.phases.ranges()) {
        const bool counts = (range.phase == Phase::Forward || range.phase == Phase::Backward)
            && input.allocatesIn(range.begin, range.end);
        if (!counts)
            continue;
        if (range.phase == Phase::Backward && forward)
            ends.push_back(range.end);
        else if (range.phase == Phase::Backward && !ends.empty())
            ends.back() = range.end;
        forward = range.phase == Phase::Forward;
    }
    return ends;
}

bool StepInput::allocatesIn(std::int64_t begin, std::int64_t end) const
{
    const Action* actions = trace.events.action.data() + trace.devices[device()].events.first;
    return std::any_of(actions + begin, actions + end, isBirth);
}

} // namespace highwater

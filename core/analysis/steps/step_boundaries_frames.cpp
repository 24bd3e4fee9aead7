#include "core/analysis/steps/step_boundaries.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/steps/loop_lines.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Returns the events after the last one of each series of optimizer frames.
std::vector<std::int64_t> optimizerEnds(const StepInput& input, const StackRoles& roles)
{
    std::vector<std::int64_t> ends;
    const auto stacks = input.trace.events.stack.begin() + input.trace.devices[input.device()].events.first;
    const std::int64_t count = input.eventCount();
    bool wasOptimizer = false;
    for (std::int64_t event = 0; event < count; ++event) {
        const bool isOptimizer = roles.roleOf(stacks[event]).phase == Phase::Optimizer;
        if (wasOptimizer && !isOptimizer)
            ends.push_back(event);
        wasOptimizer = isOptimizer;
    }
    if (wasOptimizer)
        ends.push_back(count);
    return ends;
}

/// False if the optimizer allocates only in the first steps, so that later steps have no optimizer frames.
/// Then the last, incomplete step contains more forward-backward pairs than any other.
bool coversWholeRun(const StepInput& input, const StepBoundaries& found)
{
    std::size_t mostPairs = 0;
    for (std::size_t i = 0; i < found.marks.size(); ++i) {
        const bool isLast = i + 1 == found.marks.size();
        const std::int64_t end = isLast ? input.eventCount() : found.marks[i + 1].begin;
        const std::size_t pairs = forwardStartsOfPairs(input, found.marks[i].begin, end).size();
        if (!found.marks[i].isComplete)
            return pairs <= std::max<std::size_t>(mostPairs, 1);
        mostPairs = std::max(mostPairs, pairs);
    }
    return true;
}

/// True if the rounds contain a forward and a backward, or span at least half of the trace.
bool isTrainingLoop(const StepInput& input, const LoopLine& loop)
{
    if (!forwardStartsOfPairs(input, loop.begins.front(), input.eventCount()).empty())
        return true;
    return (loop.begins.back() - loop.begins.front()) * 2 >= input.eventCount();
}

std::optional<StepBoundaries> loopBoundaries(const StepInput& input)
{
    const std::optional<LoopLine> loop = findLoopLine(input);
    if (!loop || !isTrainingLoop(input, *loop))
        return std::nullopt;
    StepBoundaries found;
    for (const std::int64_t begin : loop->begins)
        found.marks.push_back({begin, {}, true});
    const Frame& head = input.trace.stacks.frame(loop->head);
    found.grade = loop->isEven ? Grade::B : Grade::C;
    found.reason = fmt::format("from the training loop in the stacks: {} returns to line {}",
        sanitizedText(input.trace.text(head.function)), head.line);
    return found;
}

/// Finds steps that end with an update by the user's own optimizer. Lifetimes of blocks reveal such updates
/// (`correctedByLifetimes`).
std::optional<StepBoundaries> updateBoundaries(const StepInput& input)
{
    std::vector<std::int64_t> ends;
    for (const PhaseRange& range : input.phases.ranges())
        if (range.phase == Phase::Optimizer)
            ends.push_back(range.end);
    if (ends.size() < 2)
        return std::nullopt;
    StepBoundaries found = boundariesFromOptimizers(input, ends);
    found.grade = Grade::B;
    found.reason = "from code after each backward that uses its gradients";
    return coversWholeRun(input, found) ? std::optional(std::move(found)) : std::nullopt;
}

/// Returns the steps by loop, or by updates if there are more of them: a line that runs every few steps looks
/// like the head of a loop.
std::optional<StepBoundaries> loopOrUpdateBoundaries(const StepInput& input)
{
    std::optional<StepBoundaries> loop = loopBoundaries(input);
    std::optional<StepBoundaries> updates = updateBoundaries(input);
    return loop && updates && updates->marks.size() > loop->marks.size() ? updates : loop;
}

/// Finds steps without an optimizer and without a loop: each backward ends a step.
std::optional<StepBoundaries> pairBoundaries(const StepInput& input)
{
    const std::vector<std::int64_t> ends = backwardEnds(input);
    if (ends.size() < 2)
        return std::nullopt;
    StepBoundaries found;
    std::int64_t begin = 0;
    for (const std::int64_t end : ends) {
        found.marks.push_back({begin, {}, true});
        begin = end;
    }
    if (begin < input.eventCount() && input.allocatesIn(begin, input.eventCount()))
        found.marks.push_back({begin, {}, false});
    found.grade = Grade::C;
    found.reason = "from forward and backward frames in the stacks: without an optimizer, each backward may "
                   "end a step";
    return found;
}

} // namespace

std::optional<StepBoundaries> frameBoundaries(const StepInput& input)
{
    const StackRoles roles(input.trace);
    const std::vector<std::int64_t> ends = optimizerEnds(input, roles);
    if (!ends.empty()) {
        StepBoundaries found = boundariesFromOptimizers(input, ends);
        found.grade = Grade::B;
        found.reason = "from optimizer frames in the stacks";
        if (coversWholeRun(input, found))
            return found;
    }
    if (std::optional<StepBoundaries> found = loopOrUpdateBoundaries(input))
        return found;
    return pairBoundaries(input);
}

} // namespace highwater

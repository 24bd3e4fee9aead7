#include "core/analysis/steps/steps.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/steps/step_boundaries.h"

namespace highwater {

namespace {

/// The sources that need only the trace, best first.
constexpr std::array kSources = {StepSource::ProfilerStep, StepSource::OptimizerAnnotation,
    StepSource::Ranges, StepSource::Frames, StepSource::Periodicity};

constexpr std::string_view kNothingFound
    = "no steps detected: no annotations, no optimizer frames, no repeating allocation sizes";

/// The fewest older blocks freed by a backward that show a graph. Fewer may have been kept by the program.
constexpr std::size_t kFewestGraphBlocks = 16;

/// True if Python frames are present, and none belongs to a model: a loop that prepares data has no steps.
bool onlyHandlesData(const StepInput& input)
{
    const StackTable& stacks = input.trace.stacks;
    std::size_t i = 0;
    while (i < stacks.functionCount() && stacks.function(i).kind != FrameKind::Python)
        ++i;
    return i < stacks.functionCount()
        && std::ranges::none_of(input.phases.ranges(), [](const PhaseRange& range) {
               return runsForwardOfModel(range.phase) || range.phase == Phase::Backward
                   || range.phase == Phase::Optimizer;
           });
}

/// True if memory ran out in the first backward, so that no loop before it can be the training loop.
bool endsInTheFirstBackward(const StepInput& input)
{
    const std::vector<PhaseRange>& ranges = input.phases.ranges();
    const auto first = std::ranges::find(ranges, Phase::Backward, &PhaseRange::phase);
    if (first == ranges.end() || std::any_of(first + 1, ranges.end(), [](const PhaseRange& range) {
            return range.phase == Phase::Backward || range.phase == Phase::Optimizer
                || runsForwardOfModel(range.phase);
        }))
        return false;
    for (std::int64_t event = first->begin; event < input.eventCount(); ++event)
        if (input.action(event) == Action::Oom)
            return true;
    return false;
}

/// Finds the steps of one source. Frames and Periodicity find none if the program only handles data, or if
/// memory ran out in the first backward.
std::optional<StepBoundaries> boundariesFrom(
    StepSource source, const StepInput& input, const StepRequest& request)
{
    if ((source == StepSource::Frames || source == StepSource::Periodicity)
        && (onlyHandlesData(input) || endsInTheFirstBackward(input)))
        return std::nullopt;
    switch (source) {
    case StepSource::ProfilerStep: return profilerStepBoundaries(input);
    case StepSource::OptimizerAnnotation: return optimizerAnnotationBoundaries(input);
    case StepSource::Ranges: return rangeBoundaries(input, request.pattern);
    case StepSource::Frames: return frameBoundaries(input);
    case StepSource::Periodicity: return periodBoundaries(input);
    case StepSource::Manual: return manualBoundaries(input, request.markers);
    case StepSource::Log:
    case StepSource::Whole: break;
    }
    return std::nullopt;
}

/// Returns the requested source; nullopt for the best one. Without a source, a pattern implies Ranges and
/// markers imply Manual.
std::optional<StepSource> wantedSource(const StepRequest& request)
{
    if (request.source)
        return request.source;
    if (!request.pattern.empty())
        return StepSource::Ranges;
    if (!request.markers.empty())
        return StepSource::Manual;
    return std::nullopt;
}

/// Makes the only step of a trace in which no steps were found.
StepBoundaries wholeTrace(std::string reason)
{
    StepBoundaries whole;
    whole.marks.push_back({0, "whole trace", true});
    whole.grade = Grade::C;
    whole.reason = std::move(reason);
    return whole;
}

/// Returns marks that tile the events: one at event 0, at most one per event, none after the end.
std::vector<StepMark> tiledMarks(const StepInput& input, std::vector<StepMark> marks)
{
    std::vector<StepMark> tiles;
    for (StepMark& mark : marks) {
        if (mark.begin >= input.eventCount())
            break;
        if (!tiles.empty() && tiles.back().begin == mark.begin)
            tiles.pop_back();
        tiles.push_back(std::move(mark));
    }
    if (!tiles.empty() && tiles.front().begin > 0) {
        if (input.allocatesIn(0, tiles.front().begin))
            tiles.insert(tiles.begin(), {0, std::string(Step::kWarmUp), true});
        else
            tiles.front().begin = 0;
    }
    return tiles;
}

/// Sets the totals of a step or micro-step from its events.
template <typename Stretch>
void addTotals(const UsageCurve& curve, Stretch& stretch)
{
    const CurvePeak peak = curve.peak(stretch.begin - 1, stretch.end);
    stretch.startBytes = curve.at(stretch.begin - 1);
    stretch.peakBytes = peak.bytes;
    stretch.peakEvent = peak.event;
    stretch.endBytes = curve.at(stretch.end - 1);
}

/// Finds the micro-steps. The first also includes the events before it, the last the events after it.
std::vector<MicroStep> microStepsOf(const StepInput& input, const Step& step)
{
    std::vector<std::int64_t> begins = forwardStartsOfPairs(input, step.begin, step.end);
    if (begins.size() < 2)
        return {};
    begins.front() = step.begin;
    begins.push_back(step.end);
    std::vector<MicroStep> pairs(begins.size() - 1);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i].begin = begins[i];
        pairs[i].end = begins[i + 1];
        addTotals(input.curve, pairs[i]);
    }
    return pairs;
}

/// True if recording began within a step: the trace begins with backward or the optimizer, or a backward
/// frees a graph that was allocated before the trace.
bool beginsWithinAStep(const StepInput& input, std::int64_t end)
{
    const std::vector<PhaseRange>& ranges = input.phases.ranges();
    const auto first
        = std::ranges::find_if(ranges, [](const PhaseRange& range) { return range.phase != Phase::Unknown; });
    if (first != ranges.end() && (first->phase == Phase::Backward || first->phase == Phase::Optimizer))
        return true;
    std::size_t consumed = 0;
    for (AllocationIndex i = 0; i < input.allocations.olderCount(); ++i)
        if (const std::int64_t death = input.allocations.death(i); death < end)
            consumed += input.phases.at(death) == Phase::Backward ? 1 : 0;
    return consumed >= kFewestGraphBlocks;
}

/// True if memory ran out in the optimizer and nothing was allocated afterwards: the update did not finish.
bool endsWithinTheOptimizer(const StepInput& input)
{
    for (std::int64_t event = input.eventCount(); event-- > 0;) {
        const Action action = input.action(event);
        if (action == Action::Oom)
            return input.phases.at(event) == Phase::Optimizer;
        if (isAllocationAction(action))
            return false;
    }
    return false;
}

/// Sets `leftBehindBytes` of all steps but the last. It is unknown what a next step would have freed of its
/// memory. O(allocations + steps).
void addLeftBehind(const AllocationTable& allocations, StepTable& table)
{
    for (Step& step : table.steps)
        step.leftBehindBytes = 0;
    std::size_t step = 0;
    for (auto i = static_cast<AllocationIndex>(allocations.olderCount()); i < allocations.size(); ++i) {
        while (step < table.steps.size() && table.steps[step].end <= allocations.birth(i)) // births ascend
            ++step;
        if (step < table.steps.size() && allocations.death(i) >= table.keptUntil(step))
            *table.steps[step].leftBehindBytes += allocations.bytes(i);
    }
    if (!table.steps.empty())
        table.steps.back().leftBehindBytes.reset();
}

/// Makes the table from the marks of a source.
StepTable assembledTable(const StepInput& input, StepSource source, StepBoundaries found)
{
    StepTable table;
    table.source = source;
    table.grade = found.grade;
    table.reason = std::move(found.reason);
    const std::vector<StepMark> marks = tiledMarks(input, std::move(found.marks));
    table.steps.reserve(marks.size());
    for (std::size_t i = 0; i < marks.size(); ++i) {
        Step step;
        step.name = marks[i].name.empty() ? fmt::format("step {}", i) : marks[i].name;
        step.begin = marks[i].begin;
        step.end = i + 1 < marks.size() ? marks[i + 1].begin : input.eventCount();
        step.isComplete = marks[i].isComplete;
        std::tie(step.source, step.grade) = marks[i].sourceAndGrade.value_or(std::pair(source, found.grade));
        table.grade = std::max(table.grade, step.grade);
        addTotals(input.curve, step);
        step.peakPhase = input.phases.at(step.peakEvent);
        if (source != StepSource::Whole)
            step.microSteps = microStepsOf(input, step);
        table.steps.push_back(std::move(step));
    }
    const auto first = std::ranges::find_if(table.steps, &Step::isCounted);
    if (source != StepSource::Whole && first != table.steps.end() && first->begin == 0
        && input.allocations.olderCount() > 0 && beginsWithinAStep(input, first->end))
        first->isComplete = false;
    addLeftBehind(input.allocations, table);
    // If a file is cut off within its events, the end of the last step is unknown.
    const bool isCutOff = input.trace.devices[input.device()].eventsRead == Extent::Part;
    if (!table.steps.empty() && (isCutOff || (source != StepSource::Whole && endsWithinTheOptimizer(input))))
        table.steps.back().isComplete = false;
    return table;
}

/// Assembles the steps. Events that the best source does not cover get steps of less reliable sources.
StepTable assembledFromSeveral(
    const StepInput& input, StepSource source, StepBoundaries found, const StepRequest& request)
{
    const auto boundaries = [&](StepSource other) { return boundariesFrom(other, input, request); };
    const auto* const firstOther = std::ranges::find(kSources, source) + 1;
    fillUncovered(input, found, boundaries, {firstOther, kSources.end()});
    return assembledTable(input, source, std::move(found));
}

std::string reasonForNoSteps(const StepRequest& request, StepSource wanted)
{
    if (wanted == StepSource::Ranges && !request.pattern.empty())
        return fmt::format("no annotation matches \"{}\"", request.pattern);
    if (wanted == StepSource::Whole)
        return "as requested, the whole trace is one step";
    return fmt::format("no steps detected by {}", toText(wanted));
}

} // namespace

StepTable findSteps(const Trace& trace, const AllocationTable& allocations, const UsageCurve& curve,
    const PhaseTable& phases, const StepRequest& request)
{
    const StepInput input{trace, allocations, curve, phases};
    if (input.eventCount() == 0)
        return {StepSource::Whole, Grade::C, "the device has no events", {}};
    if (const std::optional<StepSource> wanted = wantedSource(request)) {
        if (std::optional<StepBoundaries> found = boundariesFrom(*wanted, input, request))
            return assembledTable(input, *wanted, std::move(*found));
        return assembledTable(input, StepSource::Whole, wholeTrace(reasonForNoSteps(request, *wanted)));
    }
    if (std::optional<StepTable> table = summarySteps(input))
        return *std::move(table);
    // A hint (grade C) counts only if no other source is better.
    std::optional<std::pair<StepSource, StepBoundaries>> hint;
    for (const StepSource source : kSources) {
        std::optional<StepBoundaries> found = boundariesFrom(source, input, request);
        if (found && found->grade != Grade::C)
            return assembledFromSeveral(input, source, std::move(*found), request);
        if (found && !hint)
            hint.emplace(source, std::move(*found));
    }
    if (hint)
        return assembledTable(input, hint->first, std::move(hint->second));
    return assembledTable(input, StepSource::Whole, wholeTrace(std::string(kNothingFound)));
}

std::vector<StepSource> usableStepSources(
    const Trace& trace, const AllocationTable& allocations, const UsageCurve& curve, const PhaseTable& phases)
{
    const StepInput input{trace, allocations, curve, phases};
    std::vector<StepSource> usable;
    if (input.eventCount() > 0)
        std::copy_if(kSources.begin(), kSources.end(), std::back_inserter(usable),
            [&](StepSource source) { return boundariesFrom(source, input, {}).has_value(); });
    return usable;
}

} // namespace highwater

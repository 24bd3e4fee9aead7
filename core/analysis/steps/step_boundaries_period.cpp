#include "core/analysis/steps/step_boundaries.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/analysis/steps/period_finder.h"
#include "core/base/column.h"
#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// One hash for each alloc event of the device, in order.
using AllocSequence = Column<std::uint64_t>;

/// Returns the alloc events of the device, ascending.
std::span<const std::int32_t> allocEvents(const StepInput& input)
{
    return std::span(input.allocations.births()).subspan(input.allocations.olderCount());
}

enum class Compared
{
    SizeAndStack, ///< only sizes if there are no stacks
    Stack, ///< for sizes that change from step to step
};

std::uint64_t mixedBits(std::uint64_t value)
{
    value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15ull;
    return value ^ (value >> 29);
}

AllocSequence allocSequence(const StepInput& input, Compared compared)
{
    AllocSequence sequence;
    sequence.reserve(allocEvents(input).size());
    for (const std::int32_t event : allocEvents(input)) {
        const std::size_t row = input.trace.row(input.device(), event);
        const auto size = static_cast<std::uint64_t>(input.trace.events.size[row]);
        const std::uint64_t stack = input.trace.events.stack[row].value();
        sequence.push_back(
            compared == Compared::Stack ? mixedBits(stack) : mixedBits(mixedBits(size) + stack));
    }
    return sequence;
}

/// Returns the offset in the period before whose allocation the least memory is in use, summed over all
/// repeats: the boundary between two steps.
std::size_t quietestOffset(const StepInput& input, const PeriodicStretch& stretch)
{
    const std::span<const std::int32_t> events = allocEvents(input).subspan(stretch.begin);
    std::vector<Bytes> levels(stretch.period);
    for (std::size_t i = 0; i < stretch.repeats() * stretch.period; ++i)
        levels[i % stretch.period] += input.curve.at(events[i] - 1);
    return static_cast<std::size_t>(std::ranges::min_element(levels) - levels.begin());
}

/// True if the sequence after the range consists mostly of elements of the range. Layers repeat like steps,
/// but after the layers a forward makes other allocations.
bool endsLikeItsRepeats(const AllocSequence& sequence, const PeriodicStretch& stretch)
{
    NumberMap<std::uint64_t, bool> knownHashes;
    for (std::size_t i = stretch.begin; i < stretch.end; ++i)
        knownHashes[sequence[i]] = true;
    std::size_t foreign = 0;
    for (std::size_t i = stretch.end; i < sequence.size(); ++i)
        foreign += knownHashes.contains(sequence[i]) ? 0 : 1;
    const std::size_t rest = sequence.size() - stretch.end;
    return foreign * 2 <= rest || foreign * 50 <= stretch.period;
}

/// True if memory returns to its level after each repeat, as after a step. A layer of forward keeps what it
/// allocates, and a layer of backward frees more.
bool returnsToItsLevel(const StepInput& input, const std::vector<std::int64_t>& begins)
{
    Bytes drift = 0;
    Bytes swing = 0;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        const Bytes start = input.curve.at(begins[i] - 1);
        const Bytes end = input.curve.at(begins[i + 1] - 1);
        drift += end > start ? end - start : start - end;
        swing += input.curve.peak(begins[i] - 1, begins[i + 1]).bytes - std::min(start, end);
    }
    return swing > 0 && drift * 2 <= swing;
}

/// True if all repeats are within one backward or optimizer phase, so that they are layers.
bool isInOnePhase(const StepInput& input, const std::vector<std::int64_t>& begins)
{
    const std::vector<PhaseRange>& ranges = input.phases.ranges();
    const auto range = std::ranges::find_if(
        ranges, [&](const PhaseRange& candidate) { return candidate.end > begins.front(); });
    return range != ranges.end() && range->end >= begins.back()
        && (range->phase == Phase::Backward || range->phase == Phase::Optimizer);
}

/// True if the first repeat swings by a tenth of the peak. A training step fills and frees much of the
/// memory; a layer that keeps nothing does not.
bool swingsWidely(const StepInput& input, const std::vector<std::int64_t>& begins)
{
    const Bytes swing
        = input.curve.peak(begins.front() - 1, begins[1]).bytes - input.curve.at(begins.front() - 1);
    return swing * 10 >= input.curve.peak().bytes;
}

/// Returns the first events of the steps in the range.
std::vector<std::int64_t> stepBegins(const StepInput& input, const PeriodicStretch& stretch)
{
    const std::span<const std::int32_t> events = allocEvents(input);
    std::vector<std::int64_t> begins;
    for (std::size_t i = stretch.begin + quietestOffset(input, stretch); i < stretch.end; i += stretch.period)
        begins.push_back(events[i]);
    return begins;
}

StepBoundaries marksOf(
    const StepInput& input, const PeriodicStretch& stretch, const std::vector<std::int64_t>& begins)
{
    const std::span<const std::int32_t> events = allocEvents(input);
    const auto indexOf = [&](std::int64_t event) {
        return static_cast<std::size_t>(std::ranges::lower_bound(events, event) - events.begin());
    };
    StepBoundaries found;
    // The first step is not part of the range, since it also creates the model and the optimizer state. It
    // ends where the range begins.
    if (indexOf(begins.front()) * 2 >= stretch.period)
        found.marks.push_back({0, {}, true});
    for (const std::int64_t begin : begins)
        found.marks.push_back({begin, {}, true});
    const std::size_t lastLength = events.size() - indexOf(begins.back());
    found.marks.back().isComplete = lastLength * 10 >= stretch.period * 9;
    return found;
}

/// Splits the part before the periodic range into steps if it contains several forward-backward pairs and
/// every other step contains at most one. The first steps may differ too much to be part of the range.
void splitFirst(const StepInput& input, std::vector<StepMark>& marks)
{
    const auto pairsOf = [&](std::size_t i) {
        const std::int64_t end = i + 1 < marks.size() ? marks[i + 1].begin : input.eventCount();
        return forwardStartsOfPairs(input, marks[i].begin, end);
    };
    if (marks.front().begin > 0)
        return;
    for (std::size_t i = 1; i < marks.size(); ++i)
        if (pairsOf(i).size() > 1)
            return;
    const std::vector<std::int64_t> begins = pairsOf(0);
    for (std::size_t pair = 1; pair < begins.size(); ++pair)
        marks.insert(marks.begin() + static_cast<std::ptrdiff_t>(pair), {begins[pair], {}, true});
}

std::optional<StepBoundaries> boundariesBy(const StepInput& input, Compared compared)
{
    const AllocSequence sequence = allocSequence(input, compared);
    const std::optional<PeriodicStretch> stretch = findPeriod(sequence);
    if (!stretch || (stretch->end - stretch->begin) * 2 < sequence.size()
        || !endsLikeItsRepeats(sequence, *stretch))
        return std::nullopt;
    const std::vector<std::int64_t> begins = stepBegins(input, *stretch);
    if (begins.size() < 2 || !returnsToItsLevel(input, begins) || isInOnePhase(input, begins))
        return std::nullopt;
    const bool hasStacks = input.trace.stacks.nodeCount() > 1;
    const bool isExact
        = compared != Compared::Stack && stretch->mismatches * 50 <= stretch->end - stretch->begin;
    StepBoundaries found = marksOf(input, *stretch, begins);
    splitFirst(input, found.marks);
    found.grade = isExact && (hasStacks || swingsWidely(input, begins)) ? Grade::B : Grade::C;
    found.reason = fmt::format("from the sequence of allocations: their {} repeat every {} allocations",
        compared == Compared::Stack ? "stacks"
            : hasStacks             ? "sizes and stacks"
                                    : "sizes",
        formatCount(stretch->period));
    return found;
}

} // namespace

std::optional<StepBoundaries> periodBoundaries(const StepInput& input)
{
    for (const Compared compared : {Compared::SizeAndStack, Compared::Stack})
        if (std::optional<StepBoundaries> found = boundariesBy(input, compared))
            return found;
    return std::nullopt;
}

} // namespace highwater

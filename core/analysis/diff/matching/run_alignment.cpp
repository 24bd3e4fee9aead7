#include "core/analysis/diff/matching/run_alignment.h"

#include <algorithm>
#include <array>

#include "core/analysis/device/device_study.h"

namespace highwater {

namespace {

constexpr std::array<std::pair<RunAxis, std::string_view>, 5> kAxes{
    {{RunAxis::Step, "step"}, {RunAxis::EqualStep, "equal"}, {RunAxis::Phase, "phase"},
        {RunAxis::Time, "time"}, {RunAxis::Event, "event"}}};

/// Width of every step on the axis `RunAxis::EqualStep`.
constexpr double kEqualWidth = 1000;

/// Events [begin, end) of one run: a whole step, or one phase of a step.
using StepEvents = PhaseRange;

/// Returns the phases of a step, cut at its ends.
std::vector<StepEvents> phasesOfStep(const Step& step, const PhaseTable& phases)
{
    std::vector<StepEvents> cut;
    const std::vector<PhaseRange>& ranges = phases.ranges();
    auto range = std::ranges::upper_bound(ranges, step.begin, {}, &PhaseRange::end);
    for (; range != ranges.end() && range->begin < step.end; ++range) {
        cut.push_back(*range);
        cut.back().begin = std::max(range->begin, step.begin);
        cut.back().end = std::min(range->end, step.end);
    }
    return cut;
}

/// True if both sequences have the same phases in the same order.
bool haveSamePhases(const std::vector<StepEvents>& before, const std::vector<StepEvents>& after)
{
    return std::equal(before.begin(), before.end(), after.begin(), after.end(),
        [](const StepEvents& a, const StepEvents& b) { return a.phase == b.phase; });
}

/// Places the steps or phases of both runs one after another on the axis.
class StretchBuilder
{
public:
    /// If `hasEqualWidths` is set, all get the same width.
    explicit StretchBuilder(bool hasEqualWidths)
        : m_hasEqualWidths(hasEqualWidths)
    {
    }

    double position() const { return m_position; }

    /// Adds the same step or phase of each run at the next position; null if a run lacks it.
    void add(const StepEvents* before, const StepEvents* after)
    {
        const double width = m_hasEqualWidths
            ? kEqualWidth
            : static_cast<double>(std::max(lengthOf(before), lengthOf(after)));
        append(m_before, before, width);
        append(m_after, after, width);
        m_position += width;
    }

    std::vector<EventStretch> takeBefore() { return std::move(m_before); }
    std::vector<EventStretch> takeAfter() { return std::move(m_after); }

private:
    static std::int64_t lengthOf(const StepEvents* events)
    {
        return events ? events->end - events->begin : 0;
    }

    void append(std::vector<EventStretch>& stretches, const StepEvents* events, double width) const
    {
        if (lengthOf(events) > 0)
            stretches.push_back({events->begin, events->end, m_position, m_position + width});
    }

    std::vector<EventStretch> m_before;
    std::vector<EventStretch> m_after;
    bool m_hasEqualWidths;
    double m_position = 0;
};

/// Returns the name of both steps, both names if they differ, or the name of the one that is not null.
std::string labelOfSteps(const Step* before, const Step* after)
{
    if (!before || !after)
        return before ? before->name : after->name;
    return before->name == after->name ? before->name : before->name + " ↔ " + after->name;
}

/// Adds a step of each run; null if a run lacks it. With `byPhase`, adds each phase if both steps have the
/// same sequence of phases.
void addPair(StretchBuilder& builder, const Step* before, const Step* after, const AlignmentInput& beforeRun,
    const AlignmentInput& afterRun, bool byPhase)
{
    const auto whole = [](const Step* step) {
        return step ? StepEvents{step->begin, step->end} : StepEvents{};
    };
    if (byPhase && before && after) {
        const std::vector<StepEvents> beforePhases = phasesOfStep(*before, beforeRun.phases);
        const std::vector<StepEvents> afterPhases = phasesOfStep(*after, afterRun.phases);
        if (!beforePhases.empty() && haveSamePhases(beforePhases, afterPhases)) {
            for (std::size_t i = 0; i < beforePhases.size(); ++i)
                builder.add(&beforePhases[i], &afterPhases[i]);
            return;
        }
    }
    const StepEvents wholeBefore = whole(before);
    const StepEvents wholeAfter = whole(after);
    builder.add(before ? &wholeBefore : nullptr, after ? &wholeAfter : nullptr);
}

RunAlignment alignedBySteps(
    const AlignmentInput& before, const AlignmentInput& after, const AlignedSteps& steps, RunAxis axis)
{
    StretchBuilder builder(axis == RunAxis::EqualStep);
    std::vector<AxisMark> marks;
    for (std::size_t i = 0; i < steps.pairs.size(); ++i) {
        const StepPair& pair = steps.pairs[i];
        const Step* const beforeStep = pair.before ? &before.steps.steps[*pair.before] : nullptr;
        const Step* const afterStep = pair.after ? &after.steps.steps[*pair.after] : nullptr;
        marks.push_back({builder.position(), labelOfSteps(beforeStep, afterStep), i});
        addPair(builder, beforeStep, afterStep, before, after, axis == RunAxis::Phase);
    }
    return {axis, EventScale(builder.takeBefore()), EventScale(builder.takeAfter()), std::move(marks)};
}

/// Places a step at 0, the events before it in front, and those after it from `laterBegin` on.
EventScale scaleAround(const AlignmentInput& run, const Step& step, double laterBegin)
{
    const auto length = [](std::int64_t begin, std::int64_t end) { return static_cast<double>(end - begin); };
    std::vector<EventStretch> stretches;
    if (step.begin > 0)
        stretches.push_back({0, step.begin, -length(0, step.begin), 0});
    stretches.push_back({step.begin, step.end, 0, length(step.begin, step.end)});
    if (step.end < run.eventCount())
        stretches.push_back(
            {step.end, run.eventCount(), laterBegin, laterBegin + length(step.end, run.eventCount())});
    return EventScale(std::move(stretches));
}

std::int64_t matchingEvent(const EventScale& own, const EventScale& other, std::int64_t event)
{
    return std::clamp<std::int64_t>(other.eventAt(own.positionOf(event)), -1, other.eventCount() - 1);
}

} // namespace

AlignmentInput alignmentInput(const DeviceStudy& study)
{
    return {study.trace, study.device, study.steps, study.phases};
}

std::string_view toText(RunAxis axis)
{
    return std::ranges::find_if(kAxes, [axis](const auto& entry) { return entry.first == axis; })->second;
}

std::optional<RunAxis> runAxisFromText(std::string_view text)
{
    for (const auto& [axis, name] : kAxes)
        if (name == text)
            return axis;
    return std::nullopt;
}

std::int64_t RunAlignment::afterEventFor(std::int64_t beforeEvent) const
{
    return matchingEvent(before, after, beforeEvent);
}

std::int64_t RunAlignment::beforeEventFor(std::int64_t afterEvent) const
{
    return matchingEvent(after, before, afterEvent);
}

RunAlignment alignRuns(
    const AlignmentInput& before, const AlignmentInput& after, const AlignedSteps& steps, RunAxis axis)
{
    const std::vector<RunAxis> usable = usableAxes(before, after);
    const bool isUsable = std::ranges::find(usable, axis) != usable.end();
    if (isUsable && axis != RunAxis::Time && axis != RunAxis::Event)
        return alignedBySteps(before, after, steps, axis);
    const RunAxis usedAxis = isUsable ? axis : RunAxis::Event;
    const AxisKind kind = usedAxis == RunAxis::Time ? AxisKind::Time : AxisKind::Event;
    return {usedAxis, EventScale(before.trace, before.device, kind),
        EventScale(after.trace, after.device, kind), {}};
}

RunAlignment alignTwoSteps(
    const AlignmentInput& before, const Step& beforeStep, const AlignmentInput& after, const Step& afterStep)
{
    const double end
        = static_cast<double>(std::max(beforeStep.end - beforeStep.begin, afterStep.end - afterStep.begin));
    return {RunAxis::Step, scaleAround(before, beforeStep, end), scaleAround(after, afterStep, end),
        {{0, {}, 0}}, end};
}

std::vector<RunAxis> usableAxes(const AlignmentInput& before, const AlignmentInput& after)
{
    std::vector<RunAxis> axes;
    if (before.eventCount() > 0 && after.eventCount() > 0) {
        axes.push_back(RunAxis::Step);
        if (before.steps.steps.size() > 1 || after.steps.steps.size() > 1)
            axes.push_back(RunAxis::EqualStep);
        const auto hasPhases = [](const AlignmentInput& run) { return run.phases.ranges().size() > 1; };
        if (hasPhases(before) && hasPhases(after))
            axes.push_back(RunAxis::Phase);
        if (before.trace.hasTimes(before.device) && after.trace.hasTimes(after.device))
            axes.push_back(RunAxis::Time);
    }
    axes.push_back(RunAxis::Event);
    return axes;
}

} // namespace highwater

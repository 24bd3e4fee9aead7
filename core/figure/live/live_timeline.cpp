#include "core/figure/live/live_timeline.h"

#include <algorithm>

#include "core/analysis/device/cut_off.h"
#include "core/base/text/name_text.h"

namespace highwater {

namespace {

/// The largest numbers of columns and phases that a page can decode without a pause.
constexpr std::int64_t kMaxColumns = 65536;
constexpr std::size_t kMaxPhases = 20'000;

std::vector<LiveStep> stepsOf(const StepTable& table)
{
    std::vector<LiveStep> steps;
    if (table.source == StepSource::Whole)
        return steps;
    steps.reserve(table.steps.size());
    for (const Step& step : table.steps)
        steps.push_back({nameText(step.name), step.begin, step.end, step.peakBytes, step.peakEvent,
            step.endBytes, step.isCountedAndComplete()});
    return steps;
}

/// Returns the phases in order; if there are more than kMaxPhases, only the longest, of equal ones the
/// first.
std::vector<LivePhase> phasesOf(const PhaseTable& table)
{
    std::vector<LivePhase> phases;
    for (const PhaseRange& range : table.ranges())
        if (range.phase != Phase::Unknown)
            phases.push_back({range.begin, range.end, range.phase});
    if (phases.size() <= kMaxPhases)
        return phases;
    const auto length = [](const LivePhase& phase) { return phase.end - phase.begin; };
    std::vector<LivePhase> longest = phases;
    std::ranges::nth_element(
        longest, longest.begin() + static_cast<std::ptrdiff_t>(kMaxPhases), std::greater<>(), length);
    const std::int64_t longestOmitted = length(longest[kMaxPhases]);
    auto room = static_cast<std::int64_t>(kMaxPhases)
        - std::ranges::count_if(
            phases, [&](const LivePhase& phase) { return length(phase) > longestOmitted; });
    std::erase_if(phases, [&](const LivePhase& phase) {
        return length(phase) < longestOmitted || (length(phase) == longestOmitted && --room < 0);
    });
    phases.shrink_to_fit();
    return phases;
}

/// Returns one stretch per step with events if the scale aligns steps, else a single stretch that places
/// events by number.
std::vector<EventStretch> stretchesOf(const DeviceStudy& study, const EventScale* scale)
{
    const std::int64_t events = study.curve.eventCount();
    if (!scale || scale->kind() != AxisKind::Aligned)
        return {{0, events, 0, static_cast<double>(events)}};
    std::vector<EventStretch> stretches;
    for (const Step& step : study.steps.steps) {
        if (step.begin >= step.end)
            continue;
        const double begin = scale->positionOf(step.begin);
        const auto length = static_cast<double>(step.end - step.begin);
        const double eventLength
            = step.end - step.begin > 1 ? (scale->positionOf(step.end - 1) - begin) / (length - 1) : 1;
        stretches.push_back({step.begin, step.end, begin, begin + eventLength * length});
    }
    return stretches;
}

} // namespace

std::optional<LiveTimeline> liveTimeline(
    const DeviceStudy& study, std::string name, const LiveTimelineExtras& extras)
{
    if (study.curve.eventCount() == 0)
        return std::nullopt;
    const LiveIndex live(study.allocations);
    LiveGroups groups = liveGroups(study, live);
    LiveTimeline timeline;
    timeline.name = std::move(name);
    timeline.quantity = quantityLabel(study);
    timeline.eventCount = study.curve.eventCount();
    timeline.columns = liveColumns(study, live, groups, kMaxColumns, extras.room);
    timeline.groups = std::move(groups.groups);
    timeline.steps = stepsOf(study.steps);
    timeline.phases = phasesOf(study.phases);
    timeline.peak = study.curve.peak();
    timeline.reservedPeak = study.curve.reservedPeak();
    timeline.ooms = study.figures.ooms;
    timeline.capacity = extras.capacity;
    timeline.flags = extras.flags;
    timeline.stretches = stretchesOf(study, extras.scale);
    return timeline;
}

} // namespace highwater

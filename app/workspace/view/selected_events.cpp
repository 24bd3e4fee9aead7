#include "app/workspace/view/selected_events.h"

#include <algorithm>

namespace highwater::gui {

namespace {

/// Returns the events from the allocation's birth to its free, as far as they were recorded.
Selection::EventRange eventsOfLife(const AllocationTable& table, AllocationIndex allocation)
{
    const std::int64_t death = table.death(allocation);
    return {std::max<std::int64_t>(0, table.birth(allocation)),
        death == AllocationTable::kNeverFreed ? table.eventCount() : death + 1};
}

/// Returns the step at the event; nullopt if no steps were found.
std::optional<std::size_t> knownStepAt(const StepTable& table, std::int64_t event)
{
    return table.source == StepSource::Whole ? std::nullopt : table.stepOf(std::max<std::int64_t>(0, event));
}

} // namespace

std::optional<std::size_t> selectedStep(const DeviceAnalysis& analysis, const Selection& selection)
{
    if (const auto& step = selection.step(); step && *step < analysis.steps.steps.size())
        return step;
    if (const auto& range = selection.range())
        return knownStepAt(analysis.steps, range->first);
    const std::optional<std::int64_t> moment = selection.cursor();
    return moment ? knownStepAt(analysis.steps, *moment) : std::nullopt;
}

std::optional<Selection::EventRange> selectedEvents(
    const DeviceAnalysis& analysis, const Selection& selection)
{
    if (selection.isPinned())
        return eventsOfLife(analysis.allocations, selection.pinned());
    if (selection.range())
        return selection.range();
    const std::optional<std::size_t> step = selectedStep(analysis, selection);
    if (!step)
        return std::nullopt;
    return Selection::EventRange{analysis.steps.steps[*step].begin, analysis.steps.steps[*step].end};
}

} // namespace highwater::gui

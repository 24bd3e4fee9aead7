#include "core/study/summary_moments.h"

#include <algorithm>

#include "core/base/interruption.h"

namespace highwater {

namespace {

/// Returns the first event with the smallest total of [begin, end).
std::int64_t lowestIn(const UsageCurve& curve, std::int64_t begin, std::int64_t end)
{
    std::int64_t lowest = begin;
    for (std::int64_t event = begin + 1; event < end; ++event)
        if (curve.at(event) < curve.at(lowest))
            lowest = event;
    return lowest;
}

void addColumns(const UsageCurve& curve, std::int64_t columns, std::vector<std::int64_t>& events)
{
    const std::int64_t count = curve.eventCount();
    columns = std::min(columns, count);
    for (std::int64_t column = 0; column < columns; ++column) {
        interruptionPoint();
        const std::int64_t begin = count * column / columns;
        const std::int64_t end = count * (column + 1) / columns;
        events.push_back(curve.peak(begin, end).event);
        events.push_back(lowestIn(curve, begin, end));
    }
}

void addReservedPeak(const UsageCurve& curve, std::vector<std::int64_t>& events)
{
    const auto& changes = curve.reservedChanges();
    const auto highest = std::ranges::max_element(changes, {}, &UsageCurve::ReservedChange::bytes);
    if (highest != changes.end())
        events.push_back(std::min(highest->event, curve.eventCount() - 1));
}

} // namespace

std::vector<std::int64_t> summaryEvents(
    const DeviceStudy& study, const DeviceFigures& figures, std::size_t columns, bool withSteps)
{
    const std::int64_t last = study.curve.eventCount() - 1;
    std::vector<std::int64_t> events{-1, last, figures.peakEvent};
    for (const OomEvent& oom : figures.ooms)
        events.push_back(std::clamp(oom.event, std::int64_t{-1}, last));
    addColumns(study.curve, static_cast<std::int64_t>(columns), events);
    addReservedPeak(study.curve, events);
    for (const Step& step : study.steps.steps)
        if (withSteps)
            events.insert(events.end(), {step.begin - 1, step.peakEvent, step.end - 1});
    std::ranges::sort(events);
    events.erase(std::unique(events.begin(), events.end()), events.end());
    return events;
}

SummaryMoments summaryMoments(const DeviceStudy& study, std::vector<std::int64_t> events)
{
    const Trace& trace = study.trace;
    SummaryMoments moments;
    moments.byCategory.resize(kCategoryCount);
    for (const CategoryBytes& bytes : categoriesAt(study.allocations, study.categories, events))
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            moments.byCategory[category].push_back(bytes[category]);
    if (study.about().times == TimeQuality::Ordered)
        for (const std::int64_t event : events)
            moments.time.push_back(
                trace.events.time[trace.row(study.device, std::max<std::int64_t>(event, 0))]);
    if (study.about().recordsReserved())
        for (const std::int64_t event : events)
            moments.reserved.push_back(study.curve.reservedAt(event).value_or(0));
    moments.event = std::move(events);
    return moments;
}

} // namespace highwater

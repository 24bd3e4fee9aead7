#include "core/analysis/composition/step_figures.h"

#include <algorithm>

#include "core/analysis/composition/site_totals.h"

namespace highwater {

std::vector<CategoryBytes> categoriesAtPeaks(
    const AllocationTable& allocations, const CategoryTable& categories, const std::vector<Step>& steps)
{
    std::vector<std::int64_t> events;
    events.reserve(steps.size());
    for (const Step& step : steps)
        events.push_back(step.peakEvent);
    return categoriesAt(allocations, categories, events);
}

LiveSetSpec leftBehindBy(const StepTable& table, std::size_t step)
{
    const Step& left = table.steps[step];
    return {LiveSetKind::Survived, left.begin, left.end, table.keptUntil(step)};
}

std::optional<EventScale> scaleOfSteps(const StepTable& table)
{
    if (table.source == StepSource::Whole)
        return std::nullopt;
    std::vector<EventStretch> stretches;
    for (std::size_t i = 0; i < table.steps.size(); ++i)
        if (const Step& step = table.steps[i]; step.end > step.begin)
            stretches.push_back({step.begin, step.end, static_cast<double>(i), static_cast<double>(i + 1)});
    return stretches.empty() ? std::nullopt : std::optional<EventScale>(EventScale(std::move(stretches)));
}

std::optional<TopHolder> topHolderAt(const LiveIndex& live, const CallSites& sites, std::int64_t event)
{
    const std::vector<SiteTotal> totals = siteTotalsAt(live, sites, event);
    if (totals.empty())
        return std::nullopt;
    return TopHolder{totals.front().site, totals.front().bytes};
}

} // namespace highwater

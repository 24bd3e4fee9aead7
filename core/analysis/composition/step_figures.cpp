#include "core/analysis/composition/step_figures.h"

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

std::optional<TopHolder> topHolderAt(const LiveIndex& live, const CallSites& sites, std::int64_t event)
{
    const std::vector<SiteTotal> totals = siteTotalsAt(live, sites, event);
    if (totals.empty())
        return std::nullopt;
    return TopHolder{totals.front().site, totals.front().bytes};
}

} // namespace highwater

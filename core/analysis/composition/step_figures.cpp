#include "core/analysis/composition/step_figures.h"

#include <algorithm>
#include <utility>

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

StepPeaks stepPeaks(const AllocationTable& allocations, const CategoryTable& categories,
    const KeptBlocks& keptBlocks, const std::vector<Step>& steps)
{
    StepPeaks peaks{categoriesAtPeaks(allocations, categories, steps), {}};
    // At first, each row contains the difference from the row before it.
    std::vector<CategoryBytes> rows(steps.size() + 1, CategoryBytes{});
    const auto rowFrom = [&](std::int64_t event) -> CategoryBytes& {
        return rows[static_cast<std::size_t>(
            std::ranges::lower_bound(steps, event, {}, &Step::peakEvent) - steps.begin())];
    };
    for (AllocationIndex i = 0; keptBlocks.isAny() && i < allocations.size(); ++i) {
        if (keptBlocks.keptSince(i) == KeptBlocks::kNever)
            continue;
        const auto category = static_cast<std::size_t>(categories.of(i));
        rowFrom(keptBlocks.keptSince(i))[category] += allocations.bytes(i);
        rowFrom(allocations.death(i))[category] -= allocations.bytes(i);
    }
    rows.pop_back();
    for (std::size_t row = 1; row < rows.size(); ++row)
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            rows[row][category] += rows[row - 1][category];
    peaks.kept = std::move(rows);
    return peaks;
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

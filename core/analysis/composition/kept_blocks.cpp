#include "core/analysis/composition/kept_blocks.h"

#include <algorithm>

namespace highwater {

namespace {

/// True for memory that training keeps from step to step.
bool staysByDesign(Category category)
{
    return category == Category::Parameter || category == Category::OptimizerState
        || category == Category::Gradient;
}

/// Returns the first event in a known phase; 0 if no phase is known.
std::int64_t firstPhaseBegin(const PhaseTable& phases)
{
    const auto first = std::ranges::find_if(
        phases.ranges(), [](const PhaseRange& range) { return range.phase != Phase::Unknown; });
    return first == phases.ranges().end() ? 0 : first->begin;
}

} // namespace

KeptBlocks::KeptBlocks(const AllocationTable& allocations, const PhaseTable& phases, const StepTable& table,
    const CategoryTable& categories)
    : m_setUpEnd(firstPhaseBegin(phases))
{
    const std::vector<Step>& steps = table.steps;
    if (table.source == StepSource::Whole || steps.size() < 2)
        return;
    std::size_t step = 0;
    for (auto i = static_cast<AllocationIndex>(allocations.olderCount()); i < allocations.size(); ++i) {
        while (step + 1 < steps.size() && allocations.birth(i) >= steps[step].end)
            ++step;
        if (step + 1 >= steps.size()) // births ascend
            return;
        const std::int64_t end = steps[step].end;
        const bool outlivesBoth = allocations.death(i) >= steps[step + 1].end;
        if (!outlivesBoth || isSetUp(allocations, i) || staysByDesign(categories.of(i)))
            continue;
        if (m_keptSince.empty())
            m_keptSince.assign(allocations.size(), kNever);
        m_keptSince[i] = static_cast<std::int32_t>(end);
    }
}

} // namespace highwater

#include "core/analysis/budget/budget_gap.h"

#include <cstdlib>

namespace highwater {

std::optional<BudgetGap> largestGap(const Budget& budget, const ObservedBudget& observed)
{
    BudgetGap largest;
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* const observedLine = observed.find(line.name);
        if (!observedLine)
            continue;
        const BudgetGap gap{line.name, line.likely(), observedLine->bytes};
        if (std::abs(gap.excess()) > std::abs(largest.excess()))
            largest = gap;
    }
    if (largest.excess() == 0 || std::abs(largest.excess()) < observed.total / 100)
        return std::nullopt;
    return largest;
}

} // namespace highwater

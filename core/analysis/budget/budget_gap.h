#pragma once

#include <optional>

#include "core/analysis/budget/observed_budget.h"

namespace highwater {

/// The line of a budget whose observed bytes differ most from the expected ones.
struct BudgetGap
{
    BudgetLineName name = BudgetLineName::Parameters;
    Bytes expected = 0;
    Bytes observed = 0;

    Bytes excess() const { return observed - expected; }
};

/// Returns nothing if no line differs by a hundredth of the observed total.
std::optional<BudgetGap> largestGap(const Budget& budget, const ObservedBudget& observed);

/// From this factor on, the observed bytes are no longer explained by inexact estimates.
inline constexpr double kLargeFactor = 2;

} // namespace highwater

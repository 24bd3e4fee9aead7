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

/// Returns the line with the largest gap; nothing if no line differs by a hundredth of the observed total.
/// Lines without an observation are skipped.
std::optional<BudgetGap> largestGap(const Budget& budget, const ObservedBudget& observed);

/// If the observed bytes are at least this many times the expected ones, inexact estimates do not explain
/// them.
inline constexpr double kLargeFactor = 2;

} // namespace highwater

#pragma once

#include <optional>
#include <string>

#include "core/analysis/budget/budget_study.h"

namespace highwater {

/// The line of a budget whose observed bytes differ most from the expected ones.
struct BudgetGap
{
    BudgetLineName name = BudgetLineName::Parameters;
    Bytes expected = 0;
    Bytes observed = 0;

    Bytes excess() const { return observed - expected; }
};

/// None: nothing was observed, or no line differs by a hundredth of what was.
std::optional<BudgetGap> largestGap(const BudgetStudy& study);

/// From this factor on, what was observed is no longer a matter of estimates.
inline constexpr double kLargeFactor = 2;

/// "Observed 22.62 GiB, 13.3 × the expected 1.70 GiB", or "Expected at the peak: 1.70 GiB".
std::string budgetHeadline(const BudgetStudy& study);
/// "largest gap: activations, 15.66 GiB over"; without an observation the range of the estimate. Empty: there
/// is nothing to say.
std::string budgetSubline(const BudgetStudy& study);

} // namespace highwater

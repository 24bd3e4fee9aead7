#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/budget/observed_budget.h"

namespace highwater {

/// The side of a line that is likely wrong if its observed and expected bytes are far apart.
enum class WrongSide : std::uint8_t
{
    Neither, ///< the run kept or copied memory which no estimate includes
    Observed, ///< the category of the bytes is a guess
    Expected,
};

/// Returns "neither", "observed", "expected"; JSON values that never change.
std::string_view toText(WrongSide side);

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

/// If the observed bytes are at least this many times the expected ones, or the reverse, inexact estimates do
/// not explain the gap.
inline constexpr double kLargeFactor = 2;

/// Returns the side that is likely wrong; nothing if the line is not observed, its observed bytes are within
/// the range of the estimate or a factor of kLargeFactor, or differ by less than a hundredth of the observed
/// total.
std::optional<WrongSide> wrongSide(const BudgetLine& line, const ObservedBudget& observed);

/// True if a fault that the findings name explains at least half of the bytes over the estimate.
bool isExplainedByFault(const ObservedBudget::Line& line, Bytes excess);

/// Returns `wrongSide` in words: "the observed category is a guess", "part of the leak", "memory is kept from
/// earlier steps"; for the expected side, which optimizer would fit, else that the line's settings or formula
/// do not fit the run. Empty if `wrongSide` is nothing.
std::string likelyCause(const BudgetLine& line, const ObservedBudget& observed);

} // namespace highwater

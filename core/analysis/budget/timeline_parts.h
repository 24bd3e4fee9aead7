#pragma once

#include <string>
#include <vector>

#include "core/analysis/budget/observed_budget.h"

/// Where the timeline has the observed bytes of a budget.
namespace highwater {

/// Returns "3.78 GiB of activations, 1.51 GiB of inputs (guess)".
std::string partsText(const std::vector<ObservedBudget::CategoryPart>& parts);

/// Returns "part of 15.83 GiB of activations in the timeline" for a line that shares its category with other
/// lines, and for the logits, which have no category of their own, the bytes of each of theirs. Empty if the
/// timeline has the same bytes, and for another line that has bytes of several categories.
std::string timelineText(const BudgetLine& line, const ObservedBudget& observed);
/// Returns the same for a category outside the lines.
std::string timelineText(const ObservedBudget::CategoryPart& rest, const ObservedBudget& observed);

} // namespace highwater

#pragma once

#include <optional>

#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

/// Tables of a budget.
namespace highwater {

/// Returns one row per budget line with its expected bytes and, if the run was observed, its observed bytes
/// at the peak. If the budget has a line of memory outside PyTorch, which is never observed, a row "in
/// PyTorch" before it has the sums of the rows above and their factor, and the total has expected bytes only.
Table budgetLineTable(const BudgetStudy& study);
/// Compares two runs with one configuration: expected bytes, and the bytes of each run at its peak, with the
/// sums of `budgetLineTable`. Nullopt if the two budgets differ, or if either run was not observed.
std::optional<Table> sharedBudgetTable(const BudgetStudy& before, const BudgetStudy& after);
/// Returns one row per nearest GPU: whether the observed bytes fit or, if the run was not observed, the
/// expected ones.
Table gpuFitTable(const BudgetStudy& study);
/// Returns the run with other settings, one row each. `study.whatIf` must be set.
Table whatIfTable(const BudgetStudy& study);

} // namespace highwater

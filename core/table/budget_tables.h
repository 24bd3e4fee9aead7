#pragma once

#include <optional>

#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

/// Tables of a budget.
namespace highwater {

/// Returns expected bytes, and the observed bytes on the same lines; both add up to their totals. Without
/// columns for observed bytes if nothing was observed.
Table budgetLineTable(const BudgetStudy& study);
/// Returns a table of two runs with one configuration: its expected bytes, and the bytes of each run at its
/// peak. Nullopt if they expect different lines, or either was not observed.
std::optional<Table> sharedBudgetTable(const BudgetStudy& before, const BudgetStudy& after);
/// Returns the GPUs on which the expected bytes fit.
Table gpuFitTable(const BudgetStudy& study);
/// Returns the run with other settings, one row each. `study.whatIf` must be set.
Table whatIfTable(const BudgetStudy& study);

} // namespace highwater

#pragma once

#include <optional>

#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

/// Tables of a budget.
namespace highwater {

/// Expected bytes, and the observed bytes on the same lines; both add up to their totals. Without columns for
/// observed bytes if nothing was observed.
Table budgetLineTable(const BudgetStudy& study);
/// Two runs of one configuration: its expected bytes, and the bytes of each run at its peak. Nullopt if they
/// expect different lines, or either was not observed.
std::optional<Table> sharedBudgetTable(const BudgetStudy& before, const BudgetStudy& after);
/// The GPUs on which the expected bytes fit.
Table gpuFitTable(const BudgetStudy& study);
/// The run with other settings, one row each. `study.whatIf` must be set.
Table whatIfTable(const BudgetStudy& study);

} // namespace highwater

#pragma once

#include <optional>

#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

/// Tables of a budget.
namespace highwater {

/// Expected bytes, and what the device held on the same lines; both sum up. Without columns of what was
/// observed where nothing was.
Table budgetLineTable(const BudgetStudy& study);
/// Two runs of one configuration: what it expects once, and what each held at its peak. None: they expect
/// different lines, or either was not observed.
std::optional<Table> sharedBudgetTable(const BudgetStudy& before, const BudgetStudy& after);
/// Which GPUs the expected bytes fit.
Table gpuFitTable(const BudgetStudy& study);
/// The run with other settings, one row each. `study.whatIf` must be there.
Table whatIfTable(const BudgetStudy& study);

} // namespace highwater

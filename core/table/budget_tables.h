#pragma once

#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

/// Tables of a budget.
namespace highwater {

/// Expected bytes, and what the device held on the same lines; both sum up. Without columns of what was
/// observed where nothing was.
Table budgetLineTable(const BudgetStudy& study);
/// Which GPUs the expected bytes fit.
Table gpuFitTable(const BudgetStudy& study);
/// The run with other settings, one row each. `study.whatIf` must be there.
Table whatIfTable(const BudgetStudy& study);

} // namespace highwater

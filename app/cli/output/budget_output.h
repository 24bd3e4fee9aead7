#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/budget/budget_study.h"

namespace highwater::cli {

/// A budget and its sources.
struct BudgetReport : BudgetStudy
{
    std::string config; ///< path of the configuration; empty without one
    std::string path; ///< path of the observed file; empty without one
    std::string device; ///< label of the observed device; empty without a file
    std::int64_t ordinal = 0; ///< number of the observed device
};

/// Returns the document described in resources/manual/json.md, "budget".
nlohmann::ordered_json budgetJson(const BudgetReport& report);

/// Prints the budget for people, on standard output.
void printBudget(const BudgetReport& report);

} // namespace highwater::cli

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/budget/budget_study.h"

namespace highwater::cli {

/// A budget and its source.
struct BudgetReport : BudgetStudy
{
    std::string config; ///< path of the configuration
    std::string path; ///< of the file that was observed; empty: none
    std::string device; ///< label; empty: none
    std::int64_t ordinal = 0; ///< of the device
};

/// Keys: resources/manual/json.md, "budget".
nlohmann::ordered_json budgetJson(const BudgetReport& report);

/// For people, on stdout.
void printBudget(const BudgetReport& report);

} // namespace highwater::cli

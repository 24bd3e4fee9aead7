#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/budget/budget_sentences.h"
#include "core/analysis/budget/what_if.h"

namespace highwater::cli {

/// A budget and all that was set against it.
struct BudgetReport
{
    std::string config; ///< path of the configuration
    RunShape run;
    Budget budget;
    std::string path; ///< of the file that was observed; empty: none
    std::string device; ///< label; empty: none
    std::int64_t ordinal = 0; ///< of the device
    std::optional<ObservedBudget> observed;
    std::vector<GpuCard> cards;
    std::vector<CardFit> fits;
    StatedFigures stated;
    std::optional<WhatIf> whatIf;

    /// What is left out of the expected bytes beside what PyTorch allocates.
    Bytes outsideLeftOut() const { return budget.find(BudgetLineName::Outside) ? 0 : kLikelyOutside; }
    std::vector<std::string> sentences() const
    {
        return budgetSentences(budget, observed ? &*observed : nullptr, fits, stated);
    }
};

/// As CLI.md fixes it, with more keys.
nlohmann::ordered_json budgetJson(const BudgetReport& report);

/// For people, on stdout.
void printBudget(const BudgetReport& report);

} // namespace highwater::cli

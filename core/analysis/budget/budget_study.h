#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget_sentences.h"
#include "core/analysis/budget/what_if.h"

namespace highwater {

/// What is to be known of a run's needs.
struct BudgetRequest
{
    RunShape run;
    std::vector<std::string> cards; ///< names or sizes; empty: those of the run, else all known
    std::vector<std::string> whatIf; ///< "batch=1,2,4"; empty: no grid
};

/// A budget and all that was set against it. Immutable.
struct BudgetStudy
{
    RunShape run;
    Budget budget;
    std::optional<ObservedBudget> observed; ///< none: no device was observed
    std::vector<GpuModel> cards;
    std::vector<GpuFit> fits; ///< empty where there is no line: nothing would fit every card
    StatedFigures stated;
    std::optional<WhatIf> whatIf;

    /// What is left out of the expected bytes beside what PyTorch allocates.
    Bytes outsideLeftOut() const { return budget.find(BudgetLineName::Outside) ? 0 : kLikelyOutside; }
    std::vector<std::string> sentences() const
    {
        return budgetSentences(budget, observed ? &*observed : nullptr, fits, stated);
    }
    /// The smallest card that is no tight fit for so many bytes; empty: none of them.
    std::string smallestGpu(Bytes expected) const;
};

/// Works out the budget, what the device held of it at its peak, the cards, and the grid. Parameters that the
/// run does not tell are taken from the device, as far as it shows them. `observed` may be null. Fails with
/// BadRequest for cards and settings that are not known, and as `expectedBudget` does. Costs of the parts.
Result<BudgetStudy> studyBudget(const BudgetRequest& request, const DeviceStudy* observed);

} // namespace highwater

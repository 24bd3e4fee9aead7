#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget_sentences.h"
#include "core/analysis/budget/what_if.h"

namespace highwater {

/// What to compute about a run's memory needs.
struct BudgetRequest
{
    RunShape run;
    std::vector<std::string> gpus; ///< names or sizes; empty: those of the run, else all known
    std::vector<std::string> whatIf; ///< "batch=1,2,4"; empty: no grid
};

/// A budget and everything that it was compared with. Immutable.
struct BudgetStudy
{
    RunShape run;
    Budget budget;
    std::optional<ObservedBudget> observed; ///< none: no device was observed
    std::vector<GpuModel> gpus;
    /// Of what was observed, else of the expected bytes; empty for a budget without lines, which would fit
    /// every GPU.
    std::vector<GpuFit> fits;
    StatedFigures stated;
    std::optional<WhatIfGrid> whatIf;

    /// What the expected bytes leave out besides the memory that PyTorch allocates.
    Bytes outsideLeftOut() const { return budget.find(BudgetLineName::Outside) ? 0 : kLikelyOutside; }
    std::vector<std::string> sentences() const
    {
        return budgetSentences(budget, observed ? &*observed : nullptr, fits, stated);
    }
    /// The smallest GPU that holds so many bytes without being a tight fit; empty: none does.
    std::string smallestGpu(Bytes expected) const;
};

/// Computes the budget, what the device held of it at its peak, the GPUs and the grid. Parameters that the
/// configuration does not give are taken from the device where it shows them. `observed` may be null. Fails
/// with BadRequest for unknown GPUs and settings, and as `expectedBudget` does. Costs the sum of its parts.
Result<BudgetStudy> studyBudget(const BudgetRequest& request, const DeviceStudy* observed);

} // namespace highwater

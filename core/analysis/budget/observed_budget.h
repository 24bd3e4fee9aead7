#pragma once

#include <optional>
#include <vector>

#include "core/analysis/budget/budget.h"
#include "core/analysis/device/device_study.h"

namespace highwater {

/// What a device held at its peak, on the lines of a budget. Bytes.
struct ObservedBudget
{
    struct Line
    {
        BudgetLineName name = BudgetLineName::Parameters;
        Bytes bytes = 0;
        /// Another line has bytes of the same category: the category is split in proportion to the expected
        /// bytes.
        bool isShared = false;
    };
    struct Rest
    {
        Category category = Category::Unknown;
        Bytes bytes = 0;
    };

    Bytes total = 0; ///< Σ lines + unexplained, exactly
    std::int64_t event = -1; ///< the peak
    Quantity quantity = Quantity::Requested;
    std::vector<Line> lines; ///< for lines of the budget, in its order; "outside" is never observed
    std::vector<Rest> rest; ///< categories that belong to no line of the budget
    Bytes unexplained = 0; ///< Σ rest
    /// Of the activations: made in steps before the peak's own. No step needs them.
    Bytes fromEarlierSteps = 0;
    /// What a device must have for PyTorch: the largest that was reserved, or would have been where a request
    /// failed; the total where the file does not tell.
    Bytes needed = 0;
    std::int64_t logitsTensors = 0; ///< live allocations that have exactly the size of the logits

    /// Null: the line is not observed.
    const Line* find(BudgetLineName name) const;
};

/// Categories at the peak, one line each: parameters of all copies, gradients, optimizer state with master
/// weights, activations, temporaries, the pool of an engine as its cache. Allocations with exactly the size
/// of one logits tensor in 16 or 32 bits that are not parameters or state count as logits. O(allocations).
ObservedBudget observedBudget(const Budget& budget, const RunShape& run, const DeviceStudy& study);

/// Number of parameters of the run's model that the device's memory shows: from the sizes of the trained
/// parameters, which gradients and optimizer state reveal, else from all parameters at the peak; none where
/// there are none. `type`: of their elements. O(events + stacks).
std::optional<std::int64_t> parametersFound(const DeviceStudy& study, ElementType type);

/// Ratio of observed to expected activations, those of earlier steps apart; none where either is missing or
/// 0.
std::optional<double> activationsFactor(const Budget& budget, const ObservedBudget& observed);

} // namespace highwater

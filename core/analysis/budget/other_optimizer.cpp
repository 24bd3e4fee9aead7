#include "core/analysis/budget/other_optimizer.h"

namespace highwater {

std::optional<OtherOptimizer> otherOptimizer(
    const RunShape& run, const std::function<bool(Bytes stateBytes)>& fits)
{
    for (const OptimizerKind kind : {OptimizerKind::AdamW8bit, OptimizerKind::SgdMomentum})
        for (const bool master : {false, true}) {
            RunShape variant = run;
            variant.optimizer = kind;
            variant.masterWeights = master;
            const Result<Budget> budget = expectedBudget(variant);
            const BudgetLine* const line = budget ? budget->find(BudgetLineName::OptimizerState) : nullptr;
            if (line && kind != run.optimizer && fits(line->likely()))
                return OtherOptimizer{kind, line->likely()};
        }
    return std::nullopt;
}

} // namespace highwater

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Returns the changes that people try first to make this run smaller, each as `whatIfAxisFromText` reads it:
/// "batch=4,2,1", "optimizer=adamw-8bit,adafactor,sgd". Varies the settings that the run gives and
/// checkpointing, each only to values that need less memory than the run's own.
std::vector<std::string> usualVariations(const RunShape& run);

/// An optimizer other than the run's, and the state that the run would have with it.
struct OtherOptimizer
{
    OptimizerKind kind = OptimizerKind::None;
    Bytes stateBytes = 0;
};

/// Returns a common optimizer with 8-bit or single values whose state `fits`, with or without master weights;
/// nothing if none does. O(optimizers × lines).
std::optional<OtherOptimizer> otherOptimizer(
    const RunShape& run, const std::function<bool(Bytes stateBytes)>& fits);

} // namespace highwater

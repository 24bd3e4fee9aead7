#pragma once

#include <functional>
#include <optional>

#include "core/analysis/budget/budget.h"
#include "core/run/run_shape.h"

namespace highwater {

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

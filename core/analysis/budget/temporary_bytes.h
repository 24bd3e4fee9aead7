#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/budget/formula.h"
#include "core/run/run_shape.h"

namespace highwater {

/// What lives for moments beside the rest.
struct TemporaryBytes
{
    FormulaRange range;
    bool isLayerMissing = false; ///< weights are gathered, and how large the largest layer is is not known
};

/// Weights and gradients of the layer that ZeRO-3 or FSDP gathers; 16-bit copies that autocast keeps of fp32
/// weights; the optimizer's step as far as it exceeds what forward holds at its end, and whole in the high
/// figure, with the buckets of ZeRO (5e8 elements, with stage 3 another 1e9) and FSDP's next layer.
///
/// `parameters`: of the run's model, where known. `step`: temporaries of the optimizer's step. `forward`:
/// activations and logits; none where they are not known.
TemporaryBytes temporaryBytes(const RunShape& run, std::optional<std::int64_t> parameters,
    const Formula& step, const std::optional<Formula>& forward);

} // namespace highwater

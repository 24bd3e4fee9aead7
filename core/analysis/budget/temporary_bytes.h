#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/budget/formula.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Memory that is live only briefly. Bytes.
struct TemporaryBytes
{
    FormulaRange range;
    bool isLayerMissing = false; ///< weights are gathered, but the size of the largest layer is not known
};

/// Weights and gradients of the layer that ZeRO-3 or FSDP gathers; 16-bit copies that autocast keeps of fp32
/// weights; the part of the optimizer's step that exceeds what forward holds at its end. The high figure
/// includes the whole step and the buckets of ZeRO (5e8 elements, with stage 3 another 1e9) and FSDP's next
/// layer.
///
/// `parameters`: of the run's model, where known. `step`: temporaries of the optimizer's step. `forward`:
/// activations and logits; none where they are not known.
TemporaryBytes temporaryBytes(const RunShape& run, std::optional<std::int64_t> parameters,
    const Formula& step, const std::optional<Formula>& forward);

} // namespace highwater

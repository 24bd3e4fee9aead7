#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/budget/formula.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Memory that is live only briefly, in bytes.
struct TemporaryBytes
{
    FormulaRange range;
    bool isLayerMissing = false; ///< weights are gathered, but the size of the largest layer is unknown
};

/// Adds up three kinds of memory: the layer that ZeRO-3 or FSDP gathers (weights and gradients), the 16-bit
/// copies that autocast keeps of fp32 weights, and the part of the optimizer's step that exceeds activations,
/// logits and those copies, which are freed before it. The high figure includes the whole step, the buckets
/// of ZeRO (at most 5e8 elements, and another 1e9 with stage 3) and FSDP's next layer.
///
/// `parameters` is the number in the run's model, if known; `step` the temporaries of the optimizer's step;
/// `forward` the activations and logits. If they are not known, only the high figure includes the step.
TemporaryBytes temporaryBytes(const RunShape& run, std::optional<std::int64_t> parameters,
    const Formula& step, const std::optional<Formula>& forward);

} // namespace highwater

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/formula.h"
#include "core/analysis/budget/known_settings.h"
#include "core/base/result.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Facts that follow from a run's configuration before any bytes are counted.

/// Returns the type of the weights: the one given for the run, else the one of the model's shape; nullopt if
/// neither is known.
std::optional<ElementType> dtypeOf(const RunShape& run);
/// Returns the copy's type, else the run's.
std::optional<ElementType> dtypeOf(const RunShape& run, const ModelCopy& copy);
/// Returns the type in which forward computes: the given one, else that of the policy's weights, but bf16 for
/// a quantised type; nullopt if neither is known.
std::optional<ElementType> activationType(const RunShape& run);

/// Returns the given attention, else Math if the run computes in bf16 and all of its GPUs are older than
/// compute capability 8.0, for which `scaled_dot_product_attention` has no other kernel (PyTorch:
/// sdp_utils.cpp, `less_than_sm80_mem_efficient_dtypes`), else Flash.
AttentionKind attentionOf(const RunShape& run);

/// Returns the copies of the model that the run gives, else one trained policy.
std::vector<ModelCopy> modelCopies(const RunShape& run);
/// True if any copy is trained.
bool trains(const RunShape& run);

/// Completes the family if it is not given: Llama if `keyValueHeads` is given or `intermediate` is not
/// 4 × `hidden`, else GPT-2.
ModelShape completedShape(const RunShape& run);

/// Returns the number of sequences in one forward, "8", or "2 × 4" with a group; nothing if the batch is not
/// given.
std::optional<Formula> sequencesPerForward(const RunShape& run);

/// Returns the number of sequences in one optimizer step: batch × group × accumulation × devices; nothing if
/// the batch is not given or the product overflows.
std::optional<std::int64_t> effectiveBatch(const RunShape& run);

/// Returns the number of parameters of the run's model: the given one, else counted from its shape. Returns
/// nothing if settings are missing, and sets `missing` to their keys: "parameters", then those that the shape
/// lacks if some of it is given. Leaves `missing` unchanged if the number is given. Fails with Malformed on
/// overflow.
Result<std::optional<std::int64_t>> parameterCount(const RunShape& run, std::vector<std::string>& missing);

} // namespace highwater

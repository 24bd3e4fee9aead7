#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/formula.h"
#include "core/analysis/budget/known_settings.h"
#include "core/base/result.h"
#include "core/run/run_shape.h"

namespace highwater {

/// What follows from a run's configuration before any bytes are counted.

/// As given, else as the model's file says.
std::optional<ElementType> dtypeOf(const RunShape& run);
/// Of the copy, else the run's.
std::optional<ElementType> dtypeOf(const RunShape& run, const ModelCopy& copy);
/// The type in which forward computes: as given, else the type of the weights, or bf16 where these are
/// quantised.
std::optional<ElementType> activationTypeOf(const RunShape& run);

/// As given; one trained policy if nothing is given.
std::vector<ModelCopy> copiesOf(const RunShape& run);
/// Whether any copy is trained.
bool trains(const RunShape& run);

/// The family as given, else GPT-2's where the MLP is 4 × hidden or not given, and Llama's where it is not.
ModelShape completedShape(const RunShape& run);

/// Sequences in one forward, "8" or "2 × 4" with a group; none where the batch is not given.
std::optional<Formula> sequencesOf(const RunShape& run);

/// Sequences of one optimizer step: batch × group × accumulation × devices; none where the batch is not given
/// or the product does not fit.
std::optional<std::int64_t> effectiveBatch(const RunShape& run);

/// Parameters of the run's model: as given, else counted from its shape; none where settings are missing, and
/// `missing` names their keys. Fails with Malformed on overflow.
Result<std::optional<std::int64_t>> parameterCount(const RunShape& run, std::vector<std::string>& missing);

} // namespace highwater

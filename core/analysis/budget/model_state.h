#pragma once

#include <string>
#include <vector>

#include "core/analysis/budget/formula.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Memory of one copy of a model on one device, independent of the batch, in bytes.
struct ModelState
{
    FormulaRange weights;
    FormulaRange gradients;
    FormulaRange optimizerState; ///< zero if the optimizer is not given
    FormulaRange masterWeights;
    /// Temporary memory of an optimizer step that is not fused. The foreach versions of Adam and RMSprop make
    /// the square roots of all second moments at once (torch/optim/adam.py, `_multi_tensor_adam`:
    /// `torch._foreach_sqrt`); those of SGD work in place (torch/optim/sgd.py). Muon and Adafactor have
    /// copies of one matrix, counted for the largest.
    Formula stepTemporaries;
    std::int64_t trainedCount = 0; ///< number of trained parameters
    std::vector<std::string> notes; ///< assumptions, as sentences
};

/// Computes the state of one copy for memory-efficient training: weights in their type; gradients in the type
/// of what is trained; the optimizer state of its kind (`OptimizerKind`). AdamW keeps two values per
/// parameter: in the same type as the gradients, in fp32 with master weights, or of 1 byte each. A type that
/// the run gives for the state wins. Everything that is sharded is divided by the number of devices, and
/// offloaded parts are 0. With
/// master weights, ZeRO-2 keeps 16-bit gradients whole and adds fp32 ones of its shard for the update, so
/// AdamW takes 4P + 16P/N bytes for P parameters on N devices; ZeRO-3 keeps only the fp32 gradients, so it
/// takes 18P/N (DeepSpeed's documentation).
///
/// `parameters` is the number in this copy, `type` the type of its weights.
ModelState modelState(const RunShape& run, const ModelCopy& copy, std::int64_t parameters, ElementType type);

} // namespace highwater

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/budget/formula.h"
#include "core/run/model_shape.h"

namespace highwater {

/// Weights of one shape in a model.
struct WeightGroup
{
    enum class Kind : std::uint8_t
    {
        Embedding, ///< also the output layer, if that is a separate matrix
        Linear, ///< weights that adapters are added to
        Router, ///< routers of experts
        Vector, ///< norms and biases, with one column
    };
    Kind kind = Kind::Linear;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t count = 0;
    bool isInLayer = true;
};

/// Returns the names of the settings that are needed to count a model's parameters and are missing.
std::vector<std::string> missingForWeights(const ModelShape& shape);

/// Returns every weight of the model; no needed setting may be missing. Source of the shapes: the models of
/// the `transformers` library. The sum for a dense decoder without biases is V·h·(1 or 2) + L·(h·a·d +
/// 2·h·k·d + a·d·h + 3·h·i + 2h) + h, with vocabulary V, hidden size h, layers L, heads a, key-value heads k,
/// size d of a head and intermediate size i.
std::vector<WeightGroup> weightGroups(const ModelShape& shape);

/// Returns the number of parameters: Σ rows × columns × count.
Formula countParameters(const std::vector<WeightGroup>& weights);
/// Returns the number of parameters in the embeddings and the output layer.
Formula embeddingParameters(const std::vector<WeightGroup>& weights);
/// Returns the number of elements of the largest weight, which ZeRO-3 gathers at a time.
Formula largestMatrix(const std::vector<WeightGroup>& weights);
/// Returns the number of elements that FSDP gathers at a time: one layer, or the largest matrix outside the
/// layers if that is larger. `layers` is the number of all layers, of encoder and decoder together; one layer
/// then has the mean size, rounded up.
Formula largestGatheredUnit(const std::vector<WeightGroup>& weights, std::int64_t layers);
/// Returns the number of parameters of LoRA adapters of this rank on every linear layer: Σ rank × (rows +
/// columns) × count.
Formula adapterParameters(const std::vector<WeightGroup>& weights, std::int64_t rank);
/// Returns the number of elements of Adafactor's factored second moment: Σ (rows + columns) × count; a
/// vector keeps all its elements.
Formula factoredMomentElements(const std::vector<WeightGroup>& weights);

} // namespace highwater

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
        Embedding, ///< also the output layer where it is a matrix of its own
        Linear, ///< adapters go here
        Router, ///< of experts
        Vector, ///< norms and biases: one column
    };
    Kind kind = Kind::Linear;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t count = 0;
    bool isInLayer = true;
};

/// Names of the settings that are needed to count a model's parameters and are missing; empty: none.
std::vector<std::string> missingForWeights(const ModelShape& shape);

/// Every weight of the model; nothing may be missing. Source of the shapes: the models of the `transformers`
/// library; the sum for a dense decoder is V·h·(1 or 2) + L·(h·a·d + 2·h·k·d + a·d·h + 3·h·i + 2h) + h.
std::vector<WeightGroup> weightsOf(const ModelShape& shape);

/// Σ rows × columns × count.
Formula countOf(const std::vector<WeightGroup>& weights);
/// Parameters of the embeddings and the output layer only.
Formula embeddingsOf(const std::vector<WeightGroup>& weights);
/// Elements of the largest matrix, which is what ZeRO-3 gathers at a time.
Formula largestMatrix(const std::vector<WeightGroup>& weights);
/// Elements of one layer, or of the largest matrix outside of the layers where that is larger; what FSDP
/// gathers at a time. `layers`: how many there are.
Formula largestUnit(const std::vector<WeightGroup>& weights, std::int64_t layers);
/// LoRA adapters of this rank on every linear layer: Σ rank × (rows + columns).
Formula adaptersOf(const std::vector<WeightGroup>& weights, std::int64_t rank);
/// Elements of Adafactor's factored second moment: Σ rows + columns; vectors keep all of theirs.
Formula factoredMomentOf(const std::vector<WeightGroup>& weights);

} // namespace highwater

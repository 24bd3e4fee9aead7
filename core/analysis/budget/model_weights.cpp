#include "core/analysis/budget/model_weights.h"

#include "core/analysis/budget/known_settings.h"

namespace highwater {

namespace {

using WeightKind = WeightGroup::Kind;

/// The dimensions of a model whose shape is complete.
struct Sizes
{
    std::int64_t vocab;
    std::int64_t hidden;
    std::int64_t layers;
    std::int64_t heads;
    std::int64_t queryWidth; ///< heads × head size
    std::int64_t keyWidth;
    std::int64_t headSize;
    std::int64_t intermediate;
};

Sizes sizesOf(const ModelShape& shape)
{
    const std::int64_t head = *effectiveHeadSize(shape);
    return {*shape.vocab, *shape.hidden, *shape.layers, *shape.heads, *shape.heads * head,
        *effectiveKeyValueHeads(shape) * head, head, *effectiveIntermediate(shape)};
}

using Weights = std::vector<WeightGroup>;

void addVectors(Weights& weights, std::int64_t length, std::int64_t count, bool isInLayer = true)
{
    if (length > 0)
        weights.push_back({WeightKind::Vector, length, 1, count, isInLayer});
}

void addEmbeddings(Weights& weights, const ModelShape& shape)
{
    weights.push_back(
        {WeightKind::Embedding, *shape.vocab, *shape.hidden, shape.tiedEmbeddings ? 1 : 2, false});
}

Weights gpt2Weights(const ModelShape& shape)
{
    const Sizes s = sizesOf(shape);
    Weights weights;
    addEmbeddings(weights, shape);
    if (shape.positions)
        weights.push_back({WeightKind::Embedding, *shape.positions, s.hidden, 1, false});
    weights.push_back({WeightKind::Linear, s.hidden, 3 * s.hidden, s.layers});
    weights.push_back({WeightKind::Linear, s.hidden, s.hidden, s.layers});
    weights.push_back({WeightKind::Linear, s.hidden, s.intermediate, s.layers});
    weights.push_back({WeightKind::Linear, s.intermediate, s.hidden, s.layers});
    addVectors(weights, 3 * s.hidden + s.hidden + s.intermediate + s.hidden, s.layers); // biases
    addVectors(weights, s.hidden, 4 * s.layers); // two norms with biases
    addVectors(weights, s.hidden, 2, false);
    return weights;
}

void addExperts(Weights& weights, const ModelShape& shape, const Sizes& s)
{
    const std::int64_t experts = *shape.experts;
    weights.push_back({WeightKind::Router, s.hidden, experts, s.layers});
    for (int i = 0; i < 3; ++i) // one group for each matrix: layers × experts × 3 of them
        weights.push_back({WeightKind::Linear, s.hidden, s.intermediate, s.layers * experts});
    if (shape.sharedIntermediate) {
        weights.push_back({WeightKind::Linear, s.hidden, *shape.sharedIntermediate, 3 * s.layers});
        weights.push_back({WeightKind::Router, s.hidden, 1, s.layers});
    }
}

Weights llamaWeights(const ModelShape& shape)
{
    const Sizes s = sizesOf(shape);
    Weights weights;
    addEmbeddings(weights, shape);
    weights.push_back({WeightKind::Linear, s.hidden, s.queryWidth, s.layers});
    weights.push_back({WeightKind::Linear, s.hidden, s.keyWidth, 2 * s.layers});
    weights.push_back({WeightKind::Linear, s.queryWidth, s.hidden, s.layers});
    if (shape.experts)
        addExperts(weights, shape, s);
    else
        weights.push_back({WeightKind::Linear, s.hidden, s.intermediate, 3 * s.layers});
    if (shape.queryKeyValueBias)
        addVectors(weights, s.queryWidth + 2 * s.keyWidth, s.layers);
    if (shape.attentionOutputBias)
        addVectors(weights, s.hidden, s.layers);
    if (shape.feedForwardBias)
        addVectors(weights, 2 * s.intermediate + s.hidden, s.layers);
    if (shape.queryKeyNorms)
        addVectors(weights, s.headSize, 2 * s.layers);
    addVectors(weights, s.hidden, 2 * s.layers);
    addVectors(weights, s.hidden, 1, false);
    return weights;
}

Weights t5Weights(const ModelShape& shape)
{
    const Sizes s = sizesOf(shape);
    const std::int64_t decoder = *effectiveDecoderLayers(shape);
    const std::int64_t layers = s.layers + decoder;
    const std::int64_t attentions = s.layers + 2 * decoder; // the decoder looks at the encoder as well
    Weights weights;
    addEmbeddings(weights, shape);
    weights.push_back({WeightKind::Linear, s.hidden, s.queryWidth, 3 * attentions});
    weights.push_back({WeightKind::Linear, s.queryWidth, s.hidden, attentions});
    weights.push_back({WeightKind::Linear, s.hidden, s.intermediate, (shape.gated ? 3 : 2) * layers});
    addVectors(weights, s.hidden, attentions + layers);
    addVectors(weights, s.hidden, 2, false); // one norm after each stack
    weights.push_back({WeightKind::Embedding, shape.relativeBuckets.value_or(32), s.heads, 2, false});
    return weights;
}

/// Returns the larger value; an overflow is larger than any value.
const Formula& larger(const Formula& a, const Formula& b)
{
    return b.overflows() || (!a.overflows() && b.value() > a.value()) ? b : a;
}

} // namespace

std::vector<std::string> missingForWeights(const ModelShape& shape)
{
    return missingAmong({{"family", shape.family.has_value()}, {"vocab", shape.vocab.has_value()},
        {"hidden", shape.hidden.has_value()}, {"layers", shape.layers.has_value()},
        {"heads", shape.heads.has_value()},
        {"intermediate", effectiveIntermediate(shape) || shape.family == ModelFamily::Gpt2}});
}

std::vector<WeightGroup> weightGroups(const ModelShape& shape)
{
    switch (*shape.family) {
    case ModelFamily::Gpt2: return gpt2Weights(shape);
    case ModelFamily::Llama: return llamaWeights(shape);
    case ModelFamily::T5: return t5Weights(shape);
    }
    return {};
}

Formula countParameters(const std::vector<WeightGroup>& weights)
{
    Formula sum;
    for (const WeightGroup& group : weights)
        sum = sum + Formula(group.rows) * group.columns * group.count;
    return sum;
}

Formula embeddingParameters(const std::vector<WeightGroup>& weights)
{
    Formula sum;
    for (const WeightGroup& group : weights)
        if (group.kind == WeightKind::Embedding)
            sum = sum + Formula(group.rows) * group.columns * group.count;
    return sum;
}

Formula largestMatrix(const std::vector<WeightGroup>& weights)
{
    Formula largest;
    for (const WeightGroup& group : weights)
        largest = larger(largest, Formula(group.rows) * group.columns);
    return largest;
}

Formula largestGatheredUnit(const std::vector<WeightGroup>& weights, std::int64_t layers)
{
    Formula largest;
    Formula inLayers;
    for (const WeightGroup& group : weights) {
        const Formula matrix = Formula(group.rows) * group.columns;
        if (group.isInLayer)
            inLayers = inLayers + matrix * group.count;
        else
            largest = larger(largest, matrix);
    }
    return larger(largest, inLayers.over(layers));
}

Formula adapterParameters(const std::vector<WeightGroup>& weights, std::int64_t rank)
{
    Formula sum;
    for (const WeightGroup& group : weights)
        if (group.kind == WeightKind::Linear)
            sum = sum + Formula(group.rows + group.columns) * group.count;
    return sum * rank;
}

Formula factoredMomentElements(const std::vector<WeightGroup>& weights)
{
    Formula sum;
    for (const WeightGroup& group : weights)
        sum = sum
            + Formula(group.kind == WeightKind::Vector ? group.rows : group.rows + group.columns)
                * group.count;
    return sum;
}

} // namespace highwater

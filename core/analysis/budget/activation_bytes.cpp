#include "core/analysis/budget/activation_bytes.h"

#include "core/analysis/budget/run_facts.h"

namespace highwater {

namespace {

/// The numbers of one transformer layer from which its activations are computed.
struct Layer
{
    ModelFamily family;
    std::int64_t hidden;
    std::int64_t heads;
    std::int64_t projections; ///< (2a + 2k)·d
    std::int64_t intermediate; ///< intermediate size that a token goes through
    bool isGated;
    /// Tensors as large as the MLP's intermediate that its activation keeps besides input and result.
    std::int64_t activationCopies;
    std::int64_t normBytes; ///< bytes per column that a norm keeps beyond its input and output
    std::int64_t tokens; ///< tokens of a sequence
    std::int64_t elementBytes;
    AttentionKind attention;
};

std::int64_t activationElementBytes(const RunShape& run)
{
    return bytesOf(*activationType(run)).numerator;
}

/// The kernels of `gelu_new` keep half the input, the tanh and one more than the tanh, besides input and
/// result.
constexpr std::int64_t kUnfusedCopies = 3;

/// Returns the bytes per column that a norm keeps beyond one element for its input and one for its output. An
/// RMSNorm keeps its normalised input, and in 16 bits its input in fp32 in place of the given one. Under
/// autocast norms and the residuals between them are in fp32.
std::int64_t normBytes(const RunShape& run, ModelFamily family)
{
    const bool isAutocast = dtypeOf(run) == ElementType::Fp32 && activationElementBytes(run) < 4;
    return (family == ModelFamily::Gpt2 ? 0 : 4) + (isAutocast ? 2 : 0);
}

Layer makeLayer(const RunShape& run, AttentionKind attention)
{
    const ModelShape shape = completedShape(run);
    const std::int64_t active = shape.experts ? shape.activeExperts.value_or(1) : 1;
    return {*shape.family, *shape.hidden, *shape.heads,
        2 * (*shape.heads + *effectiveKeyValueHeads(shape)) * *effectiveHeadSize(shape),
        *effectiveIntermediate(shape) * active + shape.sharedIntermediate.value_or(0),
        shape.family == ModelFamily::Llama || shape.gated, shape.unfusedActivation ? kUnfusedCopies : 0,
        normBytes(run, *shape.family), *run.sequence, activationElementBytes(run), attention};
}

/// True for the families whose layers have dropout in their usual training.
bool hasDropout(const Layer& layer)
{
    return layer.family != ModelFamily::Llama;
}

/// Returns the bytes per token that the attention keeps besides its projections.
Formula attentionBytes(const Layer& layer)
{
    if (layer.attention == AttentionKind::Flash)
        return Formula(4) * layer.heads;
    if (layer.attention == AttentionKind::Math)
        return Formula(hasDropout(layer) ? 9 : 4) * layer.heads * layer.tokens
            + Formula(layer.elementBytes < 4 ? 3 : 0) * layer.projections;
    const std::int64_t perScore = hasDropout(layer) ? 2 * layer.elementBytes + 1 : layer.elementBytes + 4;
    return Formula(perScore) * layer.heads * layer.tokens;
}

/// Returns the bytes per token.
Formula layerBytes(const Layer& layer)
{
    const std::int64_t elementBytes = layer.elementBytes;
    const std::int64_t masks = hasDropout(layer) ? 2 : 0;
    const bool isClassic = layer.family == ModelFamily::Gpt2 && layer.projections == 4 * layer.hidden
        && layer.intermediate == 4 * layer.hidden;
    if (isClassic)
        return Formula((16 + 4 * layer.activationCopies) * elementBytes + 2 + 2 * layer.normBytes)
            * layer.hidden
            + attentionBytes(layer);
    return Formula(4 * elementBytes + masks + 2 * layer.normBytes) * layer.hidden
        + Formula(elementBytes) * layer.projections
        + Formula(((layer.isGated ? 4 : 2) + layer.activationCopies) * elementBytes) * layer.intermediate
        + attentionBytes(layer);
}

/// Returns the bytes per token that a decoder's attention to the encoder adds: its norm, its input, the
/// projections and the attention itself.
Formula crossAttentionBytes(const Layer& layer)
{
    const std::int64_t elementBytes = layer.elementBytes;
    return Formula(2 * elementBytes + 1 + layer.normBytes) * layer.hidden
        + Formula(elementBytes) * layer.projections + attentionBytes(layer);
}

/// Sums up the layers, for all tokens of the batch.
Formula layersBytes(const RunShape& run, const Layer& layer)
{
    const Formula tokens = *sequencesPerForward(run) * *run.sequence;
    const Formula perToken = layerBytes(layer);
    const std::int64_t layers = *run.shape.layers;
    if (layer.family != ModelFamily::T5)
        return tokens * layers * perToken;
    const std::int64_t decoder = *effectiveDecoderLayers(completedShape(run));
    return tokens * (layers + decoder) * perToken + tokens * decoder * crossAttentionBytes(layer);
}

/// Returns the inputs of all layers and the activations of the one that is recomputed.
Formula checkpointedBytes(const RunShape& run, const Layer& layer)
{
    const Formula tokens = *sequencesPerForward(run) * *run.sequence;
    const std::int64_t layers = *run.shape.layers + effectiveDecoderLayers(completedShape(run)).value_or(0);
    const Formula recomputed = layer.family == ModelFamily::T5
        ? layerBytes(layer) + crossAttentionBytes(layer)
        : layerBytes(layer);
    return tokens * layers * layer.hidden * layer.elementBytes + tokens * recomputed;
}

/// Returns the bytes that forward keeps for backward with this kind of attention.
Formula retainedBytes(const RunShape& run, AttentionKind attention)
{
    const Checkpointing policy = run.checkpointing.value_or(Checkpointing::None);
    const Layer layer = makeLayer(run, policy == Checkpointing::Selective ? AttentionKind::Flash : attention);
    if (policy == Checkpointing::Full)
        return checkpointedBytes(run, layer);
    return layersBytes(run, layer);
}

} // namespace

std::vector<std::string> missingForActivations(const RunShape& run)
{
    return missingAmong({{"batch", run.batch.has_value()}, {"seq_len", run.sequence.has_value()},
        {"hidden", run.shape.hidden.has_value()}, {"layers", run.shape.layers.has_value()},
        {"heads", run.shape.heads.has_value()},
        {"intermediate", !run.shape.hidden || effectiveIntermediate(completedShape(run))},
        {"dtype", activationType(run).has_value()}});
}

FormulaRange activationBytes(const RunShape& run)
{
    const AttentionKind likelyAttention = attentionOf(run);
    const AttentionKind largestAttention = run.attention ? *run.attention
        : likelyAttention == AttentionKind::Math         ? AttentionKind::Math
                                                         : AttentionKind::Eager;
    return {(retainedBytes(run, likelyAttention) * 7).over(10), retainedBytes(run, likelyAttention),
        (retainedBytes(run, largestAttention) * 13).over(10)};
}

} // namespace highwater

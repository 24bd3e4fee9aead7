#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/element_type.h"
#include "core/trace/log_event.h"

namespace highwater {

/// How the layers of a transformer are built.
enum class ModelFamily : std::uint8_t
{
    Gpt2, ///< LayerNorm, biases, learned positions, an MLP of two matrices, dropout
    Llama, ///< RMSNorm, rotary positions, grouped key and value heads, a gated MLP or experts
    T5, ///< encoder and decoder, RMSNorm, no biases, relative positions, dropout
};

/// "gpt2", "llama", "t5"; none for other texts.
std::optional<ModelFamily> modelFamilyFromText(std::string_view text);

/// The dimensions of a model. Unknown ones are absent.
struct ModelShape
{
    std::string type; ///< `model_type` of the file it is from; empty: none
    std::optional<ModelFamily> family;
    std::optional<std::int64_t> vocab;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> layers; ///< for T5 those of the encoder
    std::optional<std::int64_t> decoderLayers; ///< T5 only
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> keyValueHeads; ///< absent: as many as heads
    std::optional<std::int64_t> headSize; ///< absent: hidden / heads
    std::optional<std::int64_t> intermediate; ///< width of the MLP; absent in GPT-2: 4 × hidden
    std::optional<std::int64_t> positions; ///< learned position embeddings of GPT-2
    std::optional<std::int64_t> relativeBuckets; ///< of T5's position bias; absent: 32
    std::optional<std::int64_t> experts; ///< per layer; absent: one MLP
    std::optional<std::int64_t> activeExperts; ///< per token
    std::optional<std::int64_t> sharedIntermediate; ///< MLP width of the expert that every token uses
    bool tiedEmbeddings = false; ///< the output layer is the embedding
    bool queryKeyValueBias = false;
    bool attentionOutputBias = false;
    bool feedForwardBias = false;
    bool queryKeyNorms = false;
    bool gated = false; ///< T5 only: the MLP has three matrices
    std::optional<ElementType> dtype; ///< of the weights in the file

    bool operator==(const ModelShape&) const = default;
};

/// Upper bounds for the numbers of a model; larger ones are a mistake.
struct ModelLimits
{
    static constexpr std::int64_t vocab = 100'000'000;
    static constexpr std::int64_t hidden = 10'000'000;
    static constexpr std::int64_t layers = 100'000;
    static constexpr std::int64_t heads = 100'000;
    static constexpr std::int64_t intermediate = 100'000'000;
};

/// From the settings of a Hugging Face `config.json`: gpt2, llama, mistral, gemma, qwen2, qwen3, mixtral,
/// qwen2_moe, qwen3_moe and t5. Defaults are those of the `transformers` library's configuration classes.
/// Fails with Malformed for other types and for invalid numbers. O(settings).
Result<ModelShape> parseModelShape(const std::vector<ConfigurationEntry>& entries);

/// Number of key and value heads, and the size of each head; absent if it cannot be derived.
std::optional<std::int64_t> keyValueHeadsOf(const ModelShape& shape);
std::optional<std::int64_t> headSizeOf(const ModelShape& shape);
/// Width of the MLP, by default 4 × hidden in GPT-2; for experts, that of one.
std::optional<std::int64_t> intermediateOf(const ModelShape& shape);
/// Decoder layers of T5, by default as many as the encoder has.
std::optional<std::int64_t> decoderLayersOf(const ModelShape& shape);

} // namespace highwater

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

/// A model as numbers. What is not known is absent.
struct ModelShape
{
    std::string type; ///< `model_type` of the file it is from; empty: none
    std::optional<ModelFamily> family;
    std::optional<std::int64_t> vocab;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> layers; ///< of T5 those of the encoder
    std::optional<std::int64_t> decoderLayers; ///< of T5
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> keyValueHeads; ///< absent: as many as heads
    std::optional<std::int64_t> headSize; ///< absent: hidden / heads
    std::optional<std::int64_t> intermediate; ///< width of the MLP; absent in GPT-2: 4 × hidden
    std::optional<std::int64_t> positions; ///< learned position embeddings of GPT-2
    std::optional<std::int64_t> relativeBuckets; ///< of T5's position bias, 32 where absent
    std::optional<std::int64_t> experts; ///< in each layer; absent: one MLP
    std::optional<std::int64_t> activeExperts; ///< that a token goes through
    std::optional<std::int64_t> sharedIntermediate; ///< of the expert that every token goes through
    bool tiedEmbeddings = false; ///< the output layer is the embedding
    bool queryKeyValueBias = false;
    bool attentionOutputBias = false;
    bool feedForwardBias = false;
    bool queryKeyNorms = false;
    bool gated = false; ///< of T5: the MLP has three matrices
    std::optional<ElementType> dtype; ///< that the file's weights are in

    bool operator==(const ModelShape&) const = default;
};

/// Most that the numbers of a model can be; anything above is a mistake.
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
/// Fails with Malformed for other types and for numbers that cannot be. O(settings).
Result<ModelShape> parseModelShape(const std::vector<ConfigurationEntry>& entries);

/// Heads that keys and values have, and the size of each head; absent where it does not follow.
std::optional<std::int64_t> keyValueHeadsOf(const ModelShape& shape);
std::optional<std::int64_t> headSizeOf(const ModelShape& shape);
/// Width of the MLP, 4 × hidden in GPT-2 where nothing is said; of experts, that of one.
std::optional<std::int64_t> intermediateOf(const ModelShape& shape);
/// Of T5 the decoder's, as many as the encoder's where nothing is said.
std::optional<std::int64_t> decoderLayersOf(const ModelShape& shape);

} // namespace highwater

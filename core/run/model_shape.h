#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/element_type.h"
#include "core/trace/log_event.h"

namespace highwater {

/// The architecture of a transformer's layers.
enum class ModelFamily : std::uint8_t
{
    Gpt2, ///< LayerNorm, biases, learned positions, an MLP of two matrices, dropout
    Llama, ///< RMSNorm, rotary positions, grouped key and value heads, a gated MLP or experts
    T5, ///< Encoder and decoder, RMSNorm, no biases, relative positions, dropout
};

/// Parses "gpt2", "llama", "t5"; nullopt for other texts.
std::optional<ModelFamily> modelFamilyFromText(std::string_view text);

/// The dimensions of a model, as numbers of elements, layers and heads. An absent one is unknown unless its
/// comment says otherwise.
struct ModelShape
{
    std::string type; ///< `model_type` in its file; may be empty
    std::optional<ModelFamily> family;
    std::optional<std::int64_t> vocab;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> layers; ///< For T5, the layers of the encoder
    std::optional<std::int64_t> decoderLayers; ///< T5 only
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> keyValueHeads; ///< Absent means as many as `heads`
    std::optional<std::int64_t> headSize; ///< Absent means hidden / heads
    /// Width of the MLP or of one expert; absent in GPT-2 means 4 × hidden
    std::optional<std::int64_t> intermediate;
    std::optional<std::int64_t> positions; ///< Learned position embeddings of GPT-2
    std::optional<std::int64_t> relativeBuckets; ///< Buckets of T5's position bias; absent means 32
    std::optional<std::int64_t> experts; ///< Per layer; absent means a single MLP
    std::optional<std::int64_t> activeExperts; ///< Per token
    std::optional<std::int64_t> sharedIntermediate; ///< MLP width of the expert that every token uses
    bool tiedEmbeddings = false; ///< The output layer is the embedding
    bool queryKeyValueBias = false;
    bool attentionOutputBias = false;
    bool feedForwardBias = false;
    bool queryKeyNorms = false;
    bool gated = false; ///< T5 only: the MLP has three matrices
    /// The MLP's activation is computed by several kernels that each keep their result, as `gelu_new` of
    /// transformers (`NewGELUActivation`) is.
    bool unfusedActivation = false;
    std::optional<ElementType> dtype; ///< Type of the weights in the file

    bool operator==(const ModelShape&) const = default;
};

/// Upper bounds for the dimensions of a model; larger numbers are errors.
struct ModelLimits
{
    static constexpr std::int64_t vocab = 100'000'000; ///< Also for positions
    static constexpr std::int64_t hidden = 10'000'000;
    static constexpr std::int64_t layers = 100'000; ///< Also for experts and relative buckets
    static constexpr std::int64_t heads = 100'000;
    static constexpr std::int64_t intermediate = 100'000'000;
};

/// Reads the settings of a Hugging Face `config.json`: gpt2, llama, mistral, gemma, qwen2, qwen3, mixtral,
/// qwen2_moe, qwen3_moe and t5. Dimensions that the file omits are absent; flags and numbers of experts then
/// have the defaults of the `transformers` library's configuration classes. Fails with Malformed for other
/// types and for invalid numbers. O(settings).
Result<ModelShape> parseModelShape(const std::vector<ConfigurationEntry>& entries);

/// True for the names of activations that transformers composes of several kernels: "gelu_new", "gelu_fast",
/// "gelu_python", "gelu_accurate". False for single kernels ("gelu", "gelu_pytorch_tanh", "silu", "relu") and
/// all other names.
bool isUnfusedActivation(std::string_view name);

/// Returns the number of key and value heads, by default that of all heads; nullopt if unknown.
std::optional<std::int64_t> effectiveKeyValueHeads(const ModelShape& shape);
/// Returns the elements of one head, by default hidden / heads and at least 1; nullopt if unknown.
std::optional<std::int64_t> effectiveHeadSize(const ModelShape& shape);
/// Returns the width of the MLP, by default 4 × hidden in GPT-2; with experts, the width of one expert;
/// nullopt if unknown.
std::optional<std::int64_t> effectiveIntermediate(const ModelShape& shape);
/// Returns the decoder layers of T5, by default as many as the encoder has; nullopt if unknown, and for other
/// models.
std::optional<std::int64_t> effectiveDecoderLayers(const ModelShape& shape);

} // namespace highwater

#include "core/run/model_shape.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text_parts.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 3> kFamilies = {"gpt2", "llama", "t5"};

/// The properties of a model type. Those `…ByDefault` apply where its file states nothing, the others always.
struct TypeRule
{
    std::string_view type;
    ModelFamily family;
    bool tiedByDefault;
    bool queryKeyValueBias = false;
    bool queryKeyNorms = false;
    std::int64_t expertsByDefault = 0; ///< 0 means a single MLP
    std::int64_t activeByDefault = 0;
};

constexpr std::array<TypeRule, 10> kTypes = {{
    {"gpt2", ModelFamily::Gpt2, true},
    {"llama", ModelFamily::Llama, false},
    {"mistral", ModelFamily::Llama, false},
    {"gemma", ModelFamily::Llama, true},
    {"qwen2", ModelFamily::Llama, false, true},
    {"qwen3", ModelFamily::Llama, false, false, true},
    {"mixtral", ModelFamily::Llama, false, false, false, 8, 2},
    {"qwen2_moe", ModelFamily::Llama, false, true, false, 60, 4},
    {"qwen3_moe", ModelFamily::Llama, false, false, true, 128, 8},
    {"t5", ModelFamily::T5, true},
}};

std::string knownTypes()
{
    std::string text;
    for (const TypeRule& rule : kTypes)
        text.append(text.empty() ? "" : ", ").append(rule.type);
    return text;
}

/// Reads the file's settings into fields by name; keeps the first error.
class ShapeReader
{
public:
    explicit ShapeReader(const std::vector<ConfigurationEntry>& entries)
    {
        for (const ConfigurationEntry& entry : entries)
            m_entries.emplace(entry.name, &entry);
    }

    const ConfigurationEntry* find(std::string_view name) const
    {
        const auto found = m_entries.find(name);
        return found == m_entries.end() || isNull(*found->second) ? nullptr : found->second;
    }

    /// Reads the first of the names that the file contains.
    void read(std::optional<std::int64_t>& target, std::initializer_list<std::string_view> names,
        std::int64_t most, std::int64_t least = 1)
    {
        for (const std::string_view name : names) {
            const ConfigurationEntry* const entry = find(name);
            if (!entry)
                continue;
            const Result<std::int64_t> number = parseWholeNumber(*entry, least, most);
            if (!number)
                keepFirstError(number.error());
            else
                target = *number;
            return;
        }
    }

    void read(bool& target, std::string_view name)
    {
        if (const ConfigurationEntry* const entry = find(name)) {
            const Result<bool> flag = parseFlag(*entry);
            if (!flag)
                keepFirstError(flag.error());
            else
                target = *flag;
        }
    }

    std::string text(std::string_view name) const
    {
        const ConfigurationEntry* const entry = find(name);
        return entry ? entry->value : std::string();
    }

    const std::optional<Error>& firstError() const { return m_error; }

private:
    void keepFirstError(const Error& error)
    {
        if (!m_error)
            m_error = error;
    }

    std::map<std::string_view, const ConfigurationEntry*> m_entries;
    std::optional<Error> m_error;
};

void readCommon(ShapeReader& reader, ModelShape& shape)
{
    reader.read(shape.vocab, {"vocab_size"}, ModelLimits::vocab);
    reader.read(shape.hidden, {"hidden_size", "n_embd", "d_model"}, ModelLimits::hidden);
    reader.read(shape.layers, {"num_hidden_layers", "n_layer", "num_layers"}, ModelLimits::layers);
    reader.read(shape.heads, {"num_attention_heads", "n_head", "num_heads"}, ModelLimits::heads);
    reader.read(shape.tiedEmbeddings, "tie_word_embeddings");
    for (const char* const name : {"torch_dtype", "dtype"})
        if (const std::string text = reader.text(name); !text.empty())
            shape.dtype = elementTypeFromText(text);
}

void readGpt2(ShapeReader& reader, ModelShape& shape)
{
    reader.read(shape.intermediate, {"n_inner"}, ModelLimits::intermediate);
    reader.read(shape.positions, {"n_positions", "n_ctx"}, ModelLimits::vocab);
    const std::string activation = reader.text("activation_function");
    shape.unfusedActivation = activation.empty() || isUnfusedActivation(activation); // by default gelu_new
}

void readLlama(ShapeReader& reader, ModelShape& shape, const TypeRule& rule)
{
    shape.queryKeyValueBias = rule.queryKeyValueBias;
    shape.queryKeyNorms = rule.queryKeyNorms;
    reader.read(shape.keyValueHeads, {"num_key_value_heads"}, ModelLimits::heads);
    reader.read(shape.headSize, {"head_dim"}, ModelLimits::hidden);
    reader.read(shape.intermediate, {"intermediate_size"}, ModelLimits::intermediate);
    bool bias = false;
    reader.read(bias, "attention_bias");
    shape.queryKeyValueBias = shape.queryKeyValueBias || bias;
    shape.attentionOutputBias = bias;
    reader.read(shape.feedForwardBias, "mlp_bias");
    if (rule.expertsByDefault == 0)
        return;
    shape.experts = rule.expertsByDefault;
    shape.activeExperts = rule.activeByDefault;
    reader.read(shape.experts, {"num_local_experts", "num_experts"}, ModelLimits::layers);
    reader.read(shape.activeExperts, {"num_experts_per_tok"}, ModelLimits::layers);
    reader.read(shape.intermediate, {"moe_intermediate_size"}, ModelLimits::intermediate);
    reader.read(shape.sharedIntermediate, {"shared_expert_intermediate_size"}, ModelLimits::intermediate);
}

void readT5(ShapeReader& reader, ModelShape& shape)
{
    reader.read(shape.decoderLayers, {"num_decoder_layers"}, ModelLimits::layers);
    reader.read(shape.headSize, {"d_kv"}, ModelLimits::hidden);
    reader.read(shape.intermediate, {"d_ff"}, ModelLimits::intermediate);
    reader.read(shape.relativeBuckets, {"relative_attention_num_buckets"}, ModelLimits::layers);
    shape.gated = reader.text("feed_forward_proj").starts_with("gated");
    reader.read(shape.gated, "is_gated_act");
    // "gated-gelu" stands for gelu_new (transformers, configuration_t5.py).
    shape.unfusedActivation = reader.text("feed_forward_proj") == "gated-gelu"
        || isUnfusedActivation(reader.text("dense_act_fn"));
}

} // namespace

std::optional<ModelFamily> modelFamilyFromText(std::string_view text)
{
    return valueNamed<ModelFamily>(kFamilies, text);
}

Result<ModelShape> parseModelShape(const std::vector<ConfigurationEntry>& entries)
{
    ShapeReader reader(entries);
    const std::string type = reader.text("model_type");
    const auto rule = std::ranges::find(kTypes, type, &TypeRule::type);
    if (type.empty())
        return fail(ErrorCode::Malformed, "has no \"model_type\", so it is not the configuration of a model");
    if (rule == kTypes.end())
        return fail(ErrorCode::Malformed,
            fmt::format("\"model_type\" is {}, whose parameters cannot be counted (known: {}); give "
                        "\"parameters\" instead",
                quotedText(type), knownTypes()));
    ModelShape shape;
    shape.type = type;
    shape.family = rule->family;
    shape.tiedEmbeddings = rule->tiedByDefault;
    readCommon(reader, shape);
    if (rule->family == ModelFamily::Gpt2)
        readGpt2(reader, shape);
    else if (rule->family == ModelFamily::Llama)
        readLlama(reader, shape, *rule);
    else
        readT5(reader, shape);
    if (reader.firstError())
        return tl::unexpected(*reader.firstError());
    return shape;
}

bool isUnfusedActivation(std::string_view name)
{
    return name == "gelu_new" || name == "gelu_fast" || name == "gelu_python" || name == "gelu_accurate";
}

std::optional<std::int64_t> effectiveKeyValueHeads(const ModelShape& shape)
{
    return shape.keyValueHeads ? shape.keyValueHeads : shape.heads;
}

std::optional<std::int64_t> effectiveHeadSize(const ModelShape& shape)
{
    if (shape.headSize || !shape.hidden || !shape.heads)
        return shape.headSize;
    return std::max<std::int64_t>(1, *shape.hidden / *shape.heads);
}

std::optional<std::int64_t> effectiveIntermediate(const ModelShape& shape)
{
    if (shape.intermediate || !shape.hidden || shape.family != ModelFamily::Gpt2)
        return shape.intermediate;
    return *shape.hidden * 4;
}

std::optional<std::int64_t> effectiveDecoderLayers(const ModelShape& shape)
{
    if (shape.family != ModelFamily::T5)
        return std::nullopt;
    return shape.decoderLayers ? shape.decoderLayers : shape.layers;
}

} // namespace highwater

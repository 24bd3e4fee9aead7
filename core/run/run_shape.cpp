#include "core/run/run_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

using Entry = ConfigurationEntry;

constexpr std::int64_t kMaxParameters = 1'000'000'000'000'000;
constexpr std::int64_t kMaxSequences = 1'000'000'000;
constexpr std::int64_t kMaxDevices = 1'000'000;
constexpr std::int64_t kMaxBytesOfAnEntry = std::int64_t{1} << 60;
constexpr std::size_t kMaxCopies = 64;
constexpr std::size_t kMaxGpus = 64;

constexpr std::array<std::string_view, 5> kRoles = {"policy", "reference", "critic", "reward", "engine"};
constexpr std::array<std::string_view, 3> kCheckpointing = {"none", "selective", "full"};
constexpr std::array<std::string_view, 3> kAttention = {"flash", "eager", "math"};
constexpr std::array<std::string_view, 6> kShardings = {"none", "ddp", "zero1", "zero2", "zero3", "fsdp"};
constexpr std::array<std::string_view, 3> kOffloads = {"none", "optimizer", "all"};
constexpr std::array<std::string_view, 6> kDtypes = {"fp32", "fp16", "bf16", "fp8", "int8", "nf4"};

template <std::size_t N>
std::string namesListed(const std::array<std::string_view, N>& names)
{
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Sets a field to the value of one setting.
template <typename Field, typename T>
Result<void> assign(Field& field, const Result<T>& value)
{
    if (!value)
        return tl::unexpected(value.error());
    field = *value;
    return {};
}

template <typename Enum, std::size_t N>
Result<Enum> parseNamed(const Entry& entry, const std::array<std::string_view, N>& names)
{
    if (const auto value = valueNamed<Enum>(names, entry.value))
        return *value;
    return valueError(entry, "which is not one of " + namesListed(names));
}

Result<ElementType> parseDtype(const Entry& entry)
{
    const std::optional<ElementType> type = elementTypeFromText(entry.value);
    return type ? Result<ElementType>(*type)
                : valueError(entry, "which is not one of " + namesListed(kDtypes));
}

Result<OptimizerKind> parseOptimizer(const Entry& entry)
{
    const std::optional<OptimizerKind> kind = optimizerFromText(entry.value);
    return kind ? Result<OptimizerKind>(*kind)
                : valueError(entry, "which is no known optimizer" + optimizerHint(entry.value));
}

Result<Checkpointing> parseCheckpointing(const Entry& entry)
{
    if (const auto named = valueNamed<Checkpointing>(kCheckpointing, entry.value))
        return *named;
    const Result<bool> flag = parseFlag(entry);
    if (!flag)
        return valueError(entry, "which is not one of true, false, " + namesListed(kCheckpointing));
    return *flag ? Checkpointing::Full : Checkpointing::None;
}

Result<ModelFamily> parseFamily(const Entry& entry)
{
    const std::optional<ModelFamily> family = modelFamilyFromText(entry.value);
    return family ? Result<ModelFamily>(*family) : valueError(entry, "which is not one of gpt2, llama, t5");
}

Result<std::int64_t> parseCount(const Entry& entry, std::int64_t most)
{
    return parseWholeNumber(entry, 1, most);
}

/// Parses "2000000000", "2 GiB".
Result<std::int64_t> parseByteCount(const Entry& entry)
{
    const std::optional<Bytes> size = parseSize(entry.value);
    return size && *size >= 0 && *size <= kMaxBytesOfAnEntry ? Result<std::int64_t>(*size)
                                                             : parseWholeNumber(entry, 0, kMaxBytesOfAnEntry);
}

Result<void> setGpu(RunShape& run, const Entry& entry)
{
    if (run.gpus.size() >= kMaxGpus)
        return keyError(entry, fmt::format("is one GPU too many (at most {})", kMaxGpus));
    run.gpus.push_back(entry.value);
    return {};
}

using Setter = Result<void> (*)(RunShape&, const Entry&);

struct Key
{
    std::string_view name;
    Setter set;
};

/// The keys with a single value.
constexpr Key kKeys[] = {
    {"parameters",
        [](RunShape& r, const Entry& e) { return assign(r.parameters, parseCount(e, kMaxParameters)); }},
    {"model", [](RunShape&, const Entry&) { return Result<void>(); }}, // read before the others
    {"largest_layer",
        [](RunShape& r, const Entry& e) { return assign(r.largestLayer, parseCount(e, kMaxParameters)); }},
    {"dtype", [](RunShape& r, const Entry& e) { return assign(r.dtype, parseDtype(e)); }},
    {"optimizer", [](RunShape& r, const Entry& e) { return assign(r.optimizer, parseOptimizer(e)); }},
    {"optimizer_dtype", [](RunShape& r, const Entry& e) { return assign(r.optimizerDtype, parseDtype(e)); }},
    {"master_weights", [](RunShape& r, const Entry& e) { return assign(r.masterWeights, parseFlag(e)); }},
    {"trainable_share", [](RunShape& r, const Entry& e) { return assign(r.trainableShare, parseShare(e)); }},
    {"lora_rank",
        [](RunShape& r, const Entry& e) { return assign(r.loraRank, parseCount(e, ModelLimits::hidden)); }},
    {"batch", [](RunShape& r, const Entry& e) { return assign(r.batch, parseCount(e, kMaxSequences)); }},
    {"group", [](RunShape& r, const Entry& e) { return assign(r.group, parseCount(e, kMaxSequences)); }},
    {"seq_len", [](RunShape& r, const Entry& e) { return assign(r.sequence, parseCount(e, kMaxSequences)); }},
    {"accumulation",
        [](RunShape& r, const Entry& e) { return assign(r.accumulation, parseCount(e, kMaxSequences)); }},
    {"vocab",
        [](RunShape& r, const Entry& e) { return assign(r.shape.vocab, parseCount(e, ModelLimits::vocab)); }},
    {"hidden",
        [](RunShape& r, const Entry& e) {
            return assign(r.shape.hidden, parseCount(e, ModelLimits::hidden));
        }},
    {"layers",
        [](RunShape& r, const Entry& e) {
            return assign(r.shape.layers, parseCount(e, ModelLimits::layers));
        }},
    {"heads",
        [](RunShape& r, const Entry& e) { return assign(r.shape.heads, parseCount(e, ModelLimits::heads)); }},
    {"kv_heads",
        [](RunShape& r, const Entry& e) {
            return assign(r.shape.keyValueHeads, parseCount(e, ModelLimits::heads));
        }},
    {"head_dim",
        [](RunShape& r, const Entry& e) {
            return assign(r.shape.headSize, parseCount(e, ModelLimits::hidden));
        }},
    {"intermediate",
        [](RunShape& r, const Entry& e) {
            return assign(r.shape.intermediate, parseCount(e, ModelLimits::intermediate));
        }},
    {"family", [](RunShape& r, const Entry& e) { return assign(r.shape.family, parseFamily(e)); }},
    {"activation_function",
        [](RunShape& r, const Entry& e) {
            r.shape.unfusedActivation = isUnfusedActivation(e.value);
            return Result<void>();
        }},
    {"checkpointing",
        [](RunShape& r, const Entry& e) { return assign(r.checkpointing, parseCheckpointing(e)); }},
    {"attention",
        [](RunShape& r, const Entry& e) {
            return assign(r.attention, parseNamed<AttentionKind>(e, kAttention));
        }},
    {"use_cache", [](RunShape& r, const Entry& e) { return assign(r.useCache, parseFlag(e)); }},
    {"activations_dtype",
        [](RunShape& r, const Entry& e) { return assign(r.activationsDtype, parseDtype(e)); }},
    {"activations_bytes",
        [](RunShape& r, const Entry& e) { return assign(r.activationsBytes, parseByteCount(e)); }},
    {"logits_dtype", [](RunShape& r, const Entry& e) { return assign(r.logitsDtype, parseDtype(e)); }},
    {"logits_copies",
        [](RunShape& r, const Entry& e) { return assign(r.logitsCopies, parseCount(e, kMaxSequences)); }},
    {"kv_cache_tokens",
        [](RunShape& r, const Entry& e) {
            return assign(r.keyValueTokens, parseCount(e, kMaxBytesOfAnEntry));
        }},
    {"outside_bytes", [](RunShape& r, const Entry& e) { return assign(r.outsideBytes, parseByteCount(e)); }},
    {"gpu", setGpu},
};

const Key* findKey(std::string_view name)
{
    const auto* const found = std::ranges::find(kKeys, name, &Key::name);
    return found == std::end(kKeys) ? nullptr : found;
}

std::string knownKeys()
{
    std::string text = "copies, sharding, stated";
    for (const Key& key : kKeys)
        text.append(", ").append(key.name);
    return text;
}

Result<void> setCopyField(ModelCopy& copy, const Entry& entry, std::string_view field)
{
    if (field == "role") {
        const Result<ModelRole> role = parseNamed<ModelRole>(entry, kRoles);
        return assign(copy.role, role);
    }
    if (field == "dtype")
        return assign(copy.dtype, parseDtype(entry));
    if (field == "trainable")
        return assign(copy.trainable, parseFlag(entry));
    if (field == "parameters")
        return assign(copy.parameters, parseCount(entry, kMaxParameters));
    return keyError(entry, "is not a key of a copy (known: role, dtype, trainable, parameters)");
}

Result<void> setSharding(Sharding& sharding, const Entry& entry, std::string_view field)
{
    if (field == "kind")
        return assign(sharding.kind, parseNamed<Sharding::Kind>(entry, kShardings));
    if (field == "world")
        return assign(sharding.world, parseCount(entry, kMaxDevices));
    if (field == "offload")
        return assign(sharding.offload, parseNamed<Sharding::Offload>(entry, kOffloads));
    return keyError(entry, "is not a key of the sharding (known: kind, world, offload)");
}

/// Returns the run, or the error that two of its settings exclude each other.
Result<RunShape> checkedRun(RunShape run)
{
    if (run.trainableShare && run.loraRank)
        return fail(ErrorCode::Malformed,
            "\"trainable_share\" and \"lora_rank\" cannot be combined; give one of them");
    return run;
}

/// Fills a run, setting by setting.
class RunReader
{
public:
    explicit RunReader(const ModelShape& model) { run.shape = model; }

    Result<void> read(const Entry& entry)
    {
        if (!m_seen.insert(entry.name).second)
            return keyError(entry, "is given twice");
        const std::size_t dot = entry.name.find('.');
        const std::string_view head = std::string_view(entry.name).substr(0, dot);
        const std::string_view rest
            = dot == std::string::npos ? std::string_view() : std::string_view(entry.name).substr(dot + 1);
        if (head == "copies")
            return readCopy(entry, rest);
        if (head == "sharding")
            return isNull(entry) ? Result<void>() : setSharding(run.sharding, entry, rest);
        if (head == "stated")
            return isNull(entry) ? Result<void>() : readStated(entry, rest);
        const Key* const key = findKey(head);
        if (!key)
            return keyError(entry, "is not a key of a run (known: " + knownKeys() + ")");
        if (!rest.empty() && head != "gpu")
            return keyError(
                entry, fmt::format("is part of a list or an object, but \"{}\" takes one value", head));
        return isNull(entry) ? Result<void>() : key->set(run, entry);
    }

    Result<RunShape> finish()
    {
        for (std::size_t i = 0; i < run.copies.size(); ++i)
            if (!m_trainableGiven[i])
                run.copies[i].trainable
                    = run.copies[i].role == ModelRole::Policy || run.copies[i].role == ModelRole::Critic;
        return checkedRun(std::move(run));
    }

    RunShape run;

private:
    /// Reads "0.role". The settings of a list come in order, so each copy is either known already or the
    /// next one.
    Result<void> readCopy(const Entry& entry, std::string_view rest)
    {
        if (rest.empty() && isNull(entry))
            return {};
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
        const std::string_view field(end, static_cast<std::size_t>(rest.data() + rest.size() - end));
        if (rest.empty() || error != std::errc() || !field.starts_with('.') || index > run.copies.size())
            return keyError(
                entry, "is not a list of copies: [{\"role\": …, \"dtype\": …, \"trainable\": …}]");
        if (index >= kMaxCopies)
            return keyError(entry, fmt::format("is one copy too many (at most {})", kMaxCopies));
        if (index == run.copies.size()) {
            run.copies.emplace_back();
            m_trainableGiven.push_back(false);
        }
        if (isNull(entry))
            return {};
        if (field == ".trainable")
            m_trainableGiven[index] = true;
        return setCopyField(run.copies[index], entry, field.substr(1));
    }

    Result<void> readStated(const Entry& entry, std::string_view rest)
    {
        const std::optional<BudgetLineName> line = budgetLineFromText(rest);
        if (!line && rest != "total")
            return keyError(entry, "is neither a line of the budget nor the total");
        std::optional<StatedFigure> figure = statedFigureFromText(entry.value);
        if (!figure)
            return valueError(
                entry, "which is not an amount such as \"0.64 GB\", \"2-3 GiB\" or a number of bytes");
        figure->line = line;
        run.stated.push_back(*std::move(figure));
        return {};
    }

    std::set<std::string> m_seen;
    std::vector<bool> m_trainableGiven;
};

} // namespace

std::string_view toText(ModelRole role)
{
    return kRoles[static_cast<std::size_t>(role)];
}

std::string findModelPath(const std::vector<ConfigurationEntry>& entries)
{
    const auto found = std::ranges::find(entries, "model", &ConfigurationEntry::name);
    return found == entries.end() || isNull(*found) ? std::string() : found->value;
}

Result<RunShape> parseRunShape(const std::vector<ConfigurationEntry>& entries, const ModelShape& model)
{
    if (entries.empty())
        return fail(ErrorCode::Malformed, "has no settings of a run");
    RunReader reader(model);
    for (const ConfigurationEntry& entry : entries)
        if (const Result<void> read = reader.read(entry); !read)
            return tl::unexpected(read.error());
    return reader.finish();
}

Result<RunShape> withSetting(RunShape run, const std::string& key, const std::string& value)
{
    const ConfigurationEntry entry{key, value, "what-if", 0};
    const Key* const found = findKey(key);
    if (!found)
        return keyError(entry, "is not a key of a run");
    if (const Result<void> set = found->set(run, entry); !set)
        return tl::unexpected(set.error());
    return checkedRun(std::move(run));
}

} // namespace highwater

#include "core/analysis/tensor_shapes/known_numbers.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/categories/parameter_sizes.h"
#include "core/analysis/tensor_shapes/attention_scores.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"
#include "core/run/vocabularies.h"

namespace highwater {

namespace {

constexpr std::int64_t kLargestNumber = 100'000'000;
constexpr std::int64_t kFewestHidden = 32;
constexpr std::int64_t kFewestVocabulary = 1000;
constexpr std::int64_t kWidestMlp = 8; ///< MLPs are at most this many times as wide as the hidden size
constexpr std::uint32_t kFewestRepeats = 2;
constexpr Bytes kRounding = 512;
/// A value of B·T must explain at least this many kinds of activations.
constexpr int kFewestExplained = 3;

/// The sizes of the device's blocks, as recorded.
struct Sizes
{
    SizeCounts parameters; ///< gradients if no parameter is known
    SizeCounts activations; ///< short-lived allocations if no activation is known
    bool isRounded = false;

    /// Returns how many blocks would be recorded with this many bytes.
    static std::uint32_t count(const SizeCounts& counts, Bytes bytes, bool isRounded)
    {
        const auto found = counts.find(isRounded ? (bytes + kRounding - 1) / kRounding * kRounding : bytes);
        return found == counts.end() ? 0 : found->second;
    }
    std::uint32_t parameterCount(Bytes bytes) const { return count(parameters, bytes, isRounded); }
    std::uint32_t activationCount(Bytes bytes) const { return count(activations, bytes, isRounded); }
};

/// Sorts by size, because the order of a hash table differs between executions and would decide ties.
std::vector<std::pair<Bytes, std::uint32_t>> sortedBySize(const SizeCounts& counts)
{
    std::vector<std::pair<Bytes, std::uint32_t>> sorted(counts.begin(), counts.end());
    std::ranges::sort(sorted);
    return sorted;
}

Sizes sizesOf(const DeviceStudy& study)
{
    Sizes sizes;
    SizeCounts gradients;
    SizeCounts temporaries;
    sizes.isRounded = study.about().quantity != Quantity::Requested;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        interruption.round();
        const Category category = study.categories.of(i);
        SizeCounts* counts = category == Category::Parameter ? &sizes.parameters
            : category == Category::Activation               ? &sizes.activations
            : category == Category::Gradient                 ? &gradients
            : category == Category::Temporary                ? &temporaries
                                                             : nullptr;
        if (counts)
            ++(*counts)[study.allocations.recordedBytes(i)];
    }
    if (sizes.parameters.empty())
        sizes.parameters = std::move(gradients);
    if (sizes.activations.empty())
        sizes.activations = std::move(temporaries);
    return sizes;
}

/// The names of a dimension in the settings of models and trainers, best first.
struct SettingNames
{
    Dimension dimension;
    std::initializer_list<std::string_view> names;
};

void addGivenNumbers(const SettingLists& given, KnownNumbers& numbers)
{
    static const std::array<SettingNames, 9> kSettings = {{
        {Dimension::Batch, {"micro_batch_size", "per_device_train_batch_size", "batch_size", "batch"}},
        {Dimension::Sequence, {"seq_len", "max_seq_length", "context_length", "block_size", "max_length"}},
        {Dimension::Hidden, {"hidden_size", "n_embd", "d_model", "hidden"}},
        {Dimension::Heads, {"num_attention_heads", "n_head", "num_heads", "heads"}},
        {Dimension::KeyValueHeads, {"num_key_value_heads", "kv_heads"}},
        {Dimension::HeadSize, {"head_dim", "d_kv"}},
        {Dimension::Intermediate, {"intermediate_size", "n_inner", "d_ff", "intermediate"}},
        {Dimension::Vocabulary, {"padded_vocab_size", "vocab_size", "vocab", "vocabulary_size"}},
        {Dimension::Positions, {"n_positions", "max_position_embeddings"}},
    }};
    for (const SettingNames& setting : kSettings)
        if (const auto value = positiveSetting(given, setting.names);
            value && *value > 1 && *value <= kLargestNumber)
            numbers.all.push_back(
                {setting.dimension, *value, NumberSource::Given, "from the run's settings"});
}

std::optional<std::int64_t> valueOf(const KnownNumbers& numbers, Dimension dimension)
{
    const auto found = std::ranges::find(numbers.all, dimension, &KnownNumber::dimension);
    return found == numbers.all.end() ? std::nullopt : std::optional(found->value);
}

void addGroupedBatch(const SettingLists& given, KnownNumbers& numbers)
{
    const auto batch = valueOf(numbers, Dimension::Batch);
    const auto group = positiveSetting(given, {"group", "num_generations"});
    if (batch && group && *group > 1 && *group <= kLargestNumber / *batch)
        numbers.all.push_back({Dimension::Batch, *batch * *group, NumberSource::Given,
            "batch × group from the run's settings"});
}

/// Derives the head size: in most models, heads × head size is the hidden size.
void addHeadSize(KnownNumbers& numbers)
{
    const auto hidden = valueOf(numbers, Dimension::Hidden);
    const auto heads = valueOf(numbers, Dimension::Heads);
    if (hidden && heads && !numbers.has(Dimension::HeadSize) && *hidden % *heads == 0 && *hidden > *heads)
        numbers.all.push_back({Dimension::HeadSize, *hidden / *heads, NumberSource::Given, "hidden / heads"});
}

/// Finds the dimensions of a model in the sizes of its parameters.
class ParameterReader
{
public:
    ParameterReader(const Sizes& sizes, KnownNumbers& numbers)
        : m_sizes(sizes)
        , m_numbers(numbers)
    {
    }

    /// Returns false, and adds nothing, if the sizes are not those of a transformer with one hidden size.
    bool read()
    {
        if (!findHidden())
            return false;
        findWidths();
        findVocabulary();
        findPositions();
        if (!explainsMost()) {
            m_numbers.parameterWidth = 0;
            m_numbers.fusedQueries = false;
            return false;
        }
        for (KnownNumber& number : m_inferred)
            if (!m_numbers.has(number.dimension))
                m_numbers.all.push_back(std::move(number));
        return true;
    }

    std::int64_t hidden() const { return m_hidden; }
    std::int64_t vocabulary() const { return m_vocabulary; }
    std::int64_t intermediate() const { return m_intermediate; }

private:
    /// Finds the hidden size: a vector that many norms have, with matrices of its square.
    bool findHidden()
    {
        std::uint32_t mostCount = 0;
        for (const auto& [row, count] : sortedBySize(m_sizes.parameters))
            for (const std::int64_t width : {4, 2}) {
                const std::int64_t hidden = row / width;
                if (row % width != 0 || hidden < kFewestHidden || hidden > kLargestNumber
                    || count <= mostCount || count < kFewestRepeats
                    || m_sizes.parameterCount(hidden * row) < kFewestRepeats)
                    continue;
                mostCount = count;
                m_hidden = hidden;
                m_numbers.parameterWidth = width;
            }
        if (mostCount == 0)
            return false;
        add(Dimension::Hidden, m_hidden,
            fmt::format("{} parameters of {} are {} × {}",
                formatCount(m_sizes.parameterCount(m_hidden * rowBytes())),
                formatExactSize(m_hidden * rowBytes()), formatCount(m_hidden), formatCount(m_hidden)));
        return true;
    }

    /// True if the numbers explain at least 80% of the parameter bytes. Convolutions and shards prevent that.
    bool explainsMost() const
    {
        Bytes explained = 0;
        for (const auto& [size, count] : m_sizes.parameters)
            explained += isExplained(size) ? size * count : 0;
        return explained >= bytesOf(m_sizes.parameters) / 5 * 4;
    }

    bool isExplained(Bytes size) const
    {
        const std::int64_t rows = size / rowBytes();
        return size % rowBytes() == 0
            && (rows == 1 || rows == 3 * m_hidden
                || std::ranges::any_of(
                    m_inferred, [&](const KnownNumber& number) { return number.value == rows; }));
    }

    /// Finds the widths of MLP and keys: the row counts above and below the hidden size with most bytes.
    void findWidths()
    {
        Bytes wideBytes = 0;
        Bytes narrowBytes = 0;
        std::int64_t narrowRows = 0;
        m_numbers.fusedQueries = m_sizes.parameterCount(3 * m_hidden * rowBytes()) >= kFewestRepeats;
        for (const auto& [size, count] : sortedBySize(m_sizes.parameters)) {
            const std::int64_t rows = size / rowBytes();
            if (size % rowBytes() != 0 || count < kFewestRepeats || rows > kWidestMlp * m_hidden)
                continue;
            const Bytes bytes = size * count;
            if (rows > m_hidden && rows != 3 * m_hidden && bytes > wideBytes && isOfEachLayer(count)) {
                wideBytes = bytes;
                m_intermediate = rows;
            } else if (rows < m_hidden && rows * 16 >= m_hidden && bytes > narrowBytes
                && isOfEachLayer(count)) {
                narrowBytes = bytes;
                narrowRows = rows;
            }
        }
        if (m_intermediate > 0)
            addRows(Dimension::Intermediate, m_intermediate);
        if (narrowRows > 0)
            addRows(Dimension::KeyValueWidth, narrowRows);
    }

    /// True if a matrix probably exists in each layer, which has at most eight times as many square matrices.
    bool isOfEachLayer(std::uint32_t count) const
    {
        return count * 8 >= m_sizes.parameterCount(m_hidden * rowBytes());
    }

    /// Uses a known vocabulary, else the largest parameter whose rows have the hidden size.
    void findVocabulary()
    {
        std::uint32_t fewest = 0;
        for (const Vocabulary& known : knownVocabularies()) {
            const std::uint32_t count = m_sizes.parameterCount(known.size * rowBytes());
            if (known.size != m_intermediate && known.size != 3 * m_hidden && count > 0
                && (fewest == 0 || count < fewest)) {
                fewest = count;
                m_vocabulary = known.size;
            }
        }
        Bytes largest = 0;
        for (const auto& [size, count] : m_sizes.parameters)
            largest = std::max(largest, size);
        const std::int64_t rows = largest / rowBytes();
        if (m_vocabulary == 0 && largest % rowBytes() == 0 && rows >= kFewestVocabulary
            && rows > m_intermediate && rows > 3 * m_hidden && rows <= kLargestNumber)
            m_vocabulary = rows;
        if (m_vocabulary > 0)
            addRows(Dimension::Vocabulary, m_vocabulary);
    }

    /// Finds the longest table of positions: its length is a power of two, and it is as rare as embeddings.
    void findPositions()
    {
        const std::uint32_t embeddings = m_sizes.parameterCount(m_vocabulary * rowBytes());
        std::int64_t positions = 0;
        for (std::int64_t rows = 64; rows < m_vocabulary; rows *= 2)
            if (const std::uint32_t count = m_sizes.parameterCount(rows * rowBytes());
                count > 0 && count <= embeddings && rows != m_intermediate)
                positions = rows;
        if (positions > 0)
            addRows(Dimension::Positions, positions);
    }

    void addRows(Dimension dimension, std::int64_t rows)
    {
        add(dimension, rows,
            fmt::format("{} parameters of {} have {} rows of the hidden size",
                formatCount(m_sizes.parameterCount(rows * rowBytes())), formatExactSize(rows * rowBytes()),
                formatCount(rows)));
    }

    void add(Dimension dimension, std::int64_t value, const std::string& why)
    {
        m_inferred.push_back({dimension, value, NumberSource::Inferred, "inferred: " + why});
    }

    Bytes rowBytes() const { return m_hidden * m_numbers.parameterWidth; }

    const Sizes& m_sizes;
    KnownNumbers& m_numbers;
    std::vector<KnownNumber> m_inferred;
    std::int64_t m_hidden = 0;
    std::int64_t m_intermediate = 0;
    std::int64_t m_vocabulary = 0;
};

/// True if parameters have 16 bits, or autocast keeps copies of matrices in 16 bits.
bool usesHalf(const Sizes& sizes, const ParameterReader& model, std::int64_t parameterWidth)
{
    return parameterWidth == 2
        || sizes.activationCount(model.hidden() * model.hidden() * 2) >= kFewestRepeats;
}

/// The activations explained by B·T and the widths of the model: the hidden size, queries with keys and
/// values, the MLP and the vocabulary. The statistics of norms, one fp32 number per token, count as well.
struct Explained
{
    int kinds = 0;
    int sizes = 0; ///< a kind may exist in both 16 bits and fp32

    auto operator<=>(const Explained&) const = default;
};

Explained explainedBy(
    const Sizes& sizes, const ParameterReader& model, const KnownNumbers& numbers, std::int64_t tokens)
{
    const int statistics = sizes.activationCount(tokens * 4) > 0 ? 1 : 0;
    Explained explained{statistics, statistics};
    for (const std::int64_t columns :
        {model.hidden(), 3 * model.hidden(), model.intermediate(), model.vocabulary()}) {
        int found = 0;
        for (const std::int64_t width : {4, 2})
            if (columns > 0 && (width == numbers.parameterWidth || numbers.hasHalf)
                && sizes.activationCount(tokens * columns * width) > 0)
                ++found;
        explained.kinds += found > 0 ? 1 : 0;
        explained.sizes += found;
    }
    return explained;
}

void addTokens(const Sizes& sizes, const ParameterReader& model, KnownNumbers& numbers)
{
    const Bytes row = model.hidden() * numbers.parameterWidth;
    Explained mostExplained{kFewestExplained, 0};
    Bytes bestBytes = 0;
    std::int64_t tokens = 0;
    for (const auto& [size, count] : sortedBySize(sizes.activations)) {
        const std::int64_t rows = size / row;
        if (size % row != 0 || rows < 2 || rows > kLargestNumber)
            continue;
        const Explained explained = explainedBy(sizes, model, numbers, rows);
        const Bytes bytes = size * count;
        if (explained > mostExplained || (explained == mostExplained && tokens > 0 && bytes > bestBytes)) {
            mostExplained = explained;
            bestBytes = bytes;
            tokens = rows;
        }
    }
    if (tokens == 0)
        return;
    numbers.all.push_back({Dimension::Tokens, tokens, NumberSource::Inferred,
        fmt::format("inferred: {} sizes of activations are {} × numbers of the model", mostExplained.sizes,
            formatCount(tokens))});
    const auto batch = valueOf(numbers, Dimension::Batch);
    const auto length = valueOf(numbers, Dimension::Sequence);
    if (batch && tokens % *batch == 0 && tokens > *batch && tokens / *batch != length.value_or(0))
        numbers.all.push_back({Dimension::Sequence, tokens / *batch, NumberSource::Inferred,
            fmt::format("inferred: B·T = {} of the activations, B as given", formatCount(tokens))});
    else if (!batch && length && tokens % *length == 0 && tokens > *length)
        numbers.all.push_back({Dimension::Batch, tokens / *length, NumberSource::Inferred,
            fmt::format("inferred: B·T = {} of the activations, T as given", formatCount(tokens))});
}

} // namespace

std::string_view toText(Dimension dimension)
{
    constexpr std::array<std::string_view, 11> kNames = {"B", "T", "B·T", "hidden", "heads", "kv heads",
        "head size", "kv width", "intermediate", "vocabulary", "positions"};
    return kNames[static_cast<std::size_t>(dimension)];
}

bool KnownNumbers::has(Dimension dimension) const
{
    return std::ranges::any_of(all, [&](const KnownNumber& number) { return number.dimension == dimension; });
}

KnownNumbers knownNumbers(const DeviceStudy& study, const std::vector<ConfigurationEntry>& settings)
{
    KnownNumbers numbers;
    const SettingLists given{&settings, &study.trace.metadata.configuration};
    addGivenNumbers(given, numbers);
    addGroupedBatch(given, numbers);
    const Sizes sizes = sizesOf(study);
    ParameterReader model(sizes, numbers);
    if (model.read()) {
        numbers.hasHalf = usesHalf(sizes, model, numbers.parameterWidth);
        addTokens(sizes, model, numbers);
        if (const auto tokens = valueOf(numbers, Dimension::Tokens))
            numbers.scoreElements = scoreElements(study, *tokens, model.hidden(), numbers.hasHalf);
    } else {
        numbers.hasHalf = true;
    }
    addHeadSize(numbers);
    return numbers;
}

} // namespace highwater

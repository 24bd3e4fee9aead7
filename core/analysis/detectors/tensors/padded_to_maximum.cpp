#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/categories/passing_category.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/tensors/logits_shape.h"
#include "core/analysis/detectors/tensors/vocabulary_claims.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr Bytes kShortestPaddedRow = 128; ///< 64 elements of 16 bits
constexpr Bytes kLongestRow = 64 * kMiB;
constexpr std::int64_t kFewestTokensOfRow = 64;
constexpr std::int64_t kMaxTokensOfRow = 1 << 20;
constexpr std::int64_t kMaxSequences = 1024;
constexpr std::int64_t kMaxWidths = 16; ///< fused projections are several times as wide as the model
constexpr std::size_t kFewestBlocksOfSize = 4; ///< blocks of one size: one for each layer
/// The logits must be shorter by at least 1/kExcessDivisor to be worth a change.
constexpr std::int64_t kExcessDivisor = 4;

using BlocksOfSizes = std::map<Bytes, std::vector<AllocationIndex>>;

/// The model's dimensions, derived from its parameters or from settings.
struct ModelNumbers
{
    std::int64_t vocabulary = 0;
    std::string vocabularyReason;
    Bytes row = 0; ///< bytes of one token's hidden state, at the precision of the parameters
    std::int64_t positions = 0; ///< length of the longest sequence
    std::string positionsReason;
    BlocksBySize parameters; ///< number of parameters of each size

    /// True if biases or weights show that layers make rows `widths` times as wide as the hidden state.
    bool hasLayer(std::int64_t widths) const
    {
        const auto isOfLayers = [&](Bytes size) {
            const auto found = parameters.find(size);
            return found != parameters.end()
                && found->second >= static_cast<std::int64_t>(kFewestBlocksOfSize);
        };
        return isOfLayers(widths * row) || isOfLayers(widths * row * row / 4)
            || isOfLayers(widths * row * row / 2);
    }
};

/// Returns the number of rows of the table of positions; 0 if there is none. The table has rows as wide as
/// those of the embedding and, unlike the weights of layers, occurs only as often as the embedding.
std::int64_t positionsOfTable(const BlocksBySize& sizes, Bytes embedding, const ModelNumbers& numbers)
{
    for (const auto& [size, count] : sizes) {
        const std::int64_t rows = size / numbers.row;
        if (size % numbers.row == 0 && count == sizes.at(embedding) && rows >= kFewestTokensOfRow
            && rows <= kMaxTokensOfRow && size != embedding)
            return rows;
    }
    return 0;
}

std::optional<ModelNumbers> modelNumbers(const DetectorInput& input)
{
    const BlocksBySize sizes = sizesOf(*input.study, Category::Parameter);
    for (const VocabularyClaim& claim : vocabularyClaims(input))
        for (const auto& [size, count] : sizes) {
            const Bytes row = size / claim.size;
            if (size % claim.size != 0 || row < kShortestPaddedRow || row > kLongestRow
                || !sizes.contains(row) || !claim.isDistinctive())
                continue;
            ModelNumbers numbers{claim.size, claim.reason, row, 0, {}, sizes};
            if (const auto given = input.number({"n_positions", "max_position_embeddings"})) {
                numbers.positions = *given;
                numbers.positionsReason = "given by the run's settings";
            } else {
                numbers.positions = positionsOfTable(sizes, size, numbers);
                numbers.positionsReason = fmt::format(
                    "a parameter has that many rows of {}, like the embedding", formatExactSize(row));
            }
            return numbers.positions > 0 && numbers.positions <= kMaxTokensOfRow ? std::optional(numbers)
                                                                                 : std::nullopt;
        }
    return std::nullopt;
}

/// Returns the sizes of all logits of the trace. They show the B × T that the loss sees.
std::set<Bytes> logitsSizes(const DeviceStudy& study, const ModelNumbers& numbers)
{
    std::set<Bytes> sizes;
    std::set<Bytes> otherSizes;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        const Bytes size = study.allocations.recordedBytes(i);
        if (!mayEndInStep(study.categories.of(i)))
            otherSizes.insert(size);
        else if (positionCount(size, numbers.vocabulary, false))
            sizes.insert(size);
    }
    std::erase_if(sizes, [&](Bytes size) { return otherSizes.contains(size); });
    return sizes;
}

/// B and T of the logits, for activations that have B × `ModelNumbers::positions` rows.
struct Shape
{
    std::int64_t sequences = 0;
    std::int64_t tokens = 0; ///< the longest T of any logits
};

/// Returns nullopt unless every possible reading of the logits is at least a quarter shorter than the
/// activations.
std::optional<Shape> shapeFor(
    std::int64_t sequences, const std::set<Bytes>& logits, const ModelNumbers& numbers)
{
    Shape shape{sequences, 0};
    for (const Bytes size : logits) {
        const std::int64_t halves = *positionCount(size, numbers.vocabulary, false);
        // If a layer output with as many rows as the logits has this size, the blocks are not padded.
        for (const std::int64_t rows : {halves, halves / 2})
            if (rows > 0 && sequences * numbers.positions % rows == 0
                && numbers.hasLayer(sequences * numbers.positions / rows))
                return std::nullopt;
        // A size has most rows if its elements have 16 bits. If logits are too short even then, they are too
        // short in fp32.
        if (halves * kExcessDivisor > sequences * numbers.positions * (kExcessDivisor - 1))
            return std::nullopt;
        if (halves % sequences == 0)
            shape.tokens = std::max(shape.tokens, halves / sequences);
    }
    return shape.tokens >= kFewestTokensOfRow / 4 ? std::optional(shape) : std::nullopt;
}

/// Blocks of the peak with the size of B × `ModelNumbers::positions` hidden states, or of a multiple of it.
struct Padded
{
    Shape shape;
    BlocksOfSizes sizes;
    Bytes bytes = 0;
};

std::int64_t sequencesOf(Bytes size, const ModelNumbers& numbers)
{
    const Bytes sequence = numbers.row * numbers.positions;
    return size % sequence == 0 ? size / sequence : 0;
}

Padded paddedAs(
    const Shape& shape, const BlocksOfSizes& atPeak, const ModelNumbers& numbers, const DeviceStudy& study)
{
    Padded padded{shape, {}, 0};
    for (const auto& [size, blocks] : atPeak) {
        const std::int64_t sequences = sequencesOf(size, numbers);
        if (sequences == 0 || sequences % shape.sequences != 0 || sequences / shape.sequences > kMaxWidths
            || blocks.size() < kFewestBlocksOfSize)
            continue;
        padded.sizes.emplace(size, blocks);
        padded.bytes += bytesOf(study.allocations, blocks);
    }
    return padded;
}

/// True if the loss is chunked: one place makes logits of one size so often that the pieces of a step add up
/// to all rows. The sizes of such pieces say nothing about lengths.
bool isChunked(const DeviceStudy& study, std::int64_t sequences, const std::set<Bytes>& logits,
    const ModelNumbers& numbers)
{
    std::map<std::pair<SiteId, Bytes>, std::int64_t> rows;
    std::int64_t maxRows = 0;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        const Bytes size = study.allocations.recordedBytes(i);
        if (logits.contains(size) && mayEndInStep(study.categories.of(i)))
            maxRows = std::max(
                maxRows, rows[{study.sites.of(i), size}] += *positionCount(size, numbers.vocabulary, false));
    }
    const auto steps = static_cast<std::int64_t>(std::max<std::size_t>(1, study.steps.count()));
    return maxRows / steps * kExcessDivisor > sequences * numbers.positions * (kExcessDivisor - 1);
}

std::optional<Padded> findPadded(const DetectorInput& input, const ModelNumbers& numbers)
{
    const DeviceStudy& study = *input.study;
    const std::set<Bytes> logits = logitsSizes(study, numbers);
    BlocksOfSizes atPeak;
    for (const AllocationIndex i : study.allocations.liveAt(input.figures.peakEvent))
        if (mayEndInStep(study.categories.of(i)))
            atPeak[study.allocations.recordedBytes(i)].push_back(i);
    for (const auto& [size, blocks] : atPeak) {
        const std::int64_t sequences = sequencesOf(size, numbers);
        if (sequences == 0 || sequences > kMaxSequences || blocks.size() < kFewestBlocksOfSize
            || logits.empty())
            continue;
        const auto shape = shapeFor(sequences, logits, numbers);
        if (shape && !isChunked(study, sequences, logits, numbers))
            return paddedAs(*shape, atPeak, numbers, study);
        return std::nullopt;
    }
    return std::nullopt;
}

/// Returns how much lower the peak would be if all blocks of these sizes had the length of the logits.
PeakSaving savingOf(const DeviceStudy& study, const Padded& padded, const ModelNumbers& numbers)
{
    std::vector<LifetimeCut> cuts;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        if (!padded.sizes.contains(study.allocations.recordedBytes(i))
            || !mayEndInStep(study.categories.of(i)))
            continue;
        const Bytes bytes = study.allocations.bytes(i);
        LifetimeCut cut{i};
        cut.bytes = bytes - bytes / numbers.positions * padded.shape.tokens;
        cuts.push_back(cut);
    }
    return peakSaving(study, cuts);
}

void addPaddingEvidence(
    const DeviceStudy& study, const Padded& padded, const ModelNumbers& numbers, Finding& finding)
{
    for (const auto& [size, blocks] : padded.sizes)
        finding.addEvidence(AllocationsTarget{blocks},
            "The peak includes {} of {}, each {} × {} × {} hidden states, allocated by {}",
            blocksText(blocks.size()), formatBytes(size), sequencesOf(size, numbers) / padded.shape.sequences,
            padded.shape.sequences, formatCount(numbers.positions), placesOf(study, blocks));
    finding.addEvidence(
        {}, "The longest sequence is {}: {}", formatCount(numbers.positions), numbers.positionsReason);
    finding.addEvidence({},
        "The longest logits have {} × {} rows with a vocabulary of {}, if they are 16-bit ({})",
        padded.shape.sequences, formatCount(padded.shape.tokens), formatCount(numbers.vocabulary),
        numbers.vocabularyReason);
    finding.addEvidence({},
        "The lengths may differ for another reason: the logits may be those of the completion alone "
        "(logits_to_keep), the sequences may be packed to {}, or the batch may have {} sequences of half the "
        "length",
        formatCount(numbers.positions), padded.shape.sequences * 2);
}

} // namespace

std::vector<Finding> findPaddedToMaximum(const DetectorInput& input)
{
    const std::optional<ModelNumbers> numbers = modelNumbers(input);
    if (!numbers)
        return {};
    const std::optional<Padded> padded = findPadded(input, *numbers);
    if (!padded)
        return {};
    const DeviceStudy& study = *input.study;
    const Shape& shape = padded->shape;
    const Bytes wasteBytes = padded->bytes - padded->bytes / numbers->positions * shape.tokens;
    if (!isWorthReporting(input, wasteBytes))
        return {};
    const auto batch = input.batch();
    const auto length = input.number({"seq_len"});
    const bool isGiven = batch && length && *batch == shape.sequences && *length == shape.tokens;
    Finding finding = findingAt(input, input.figures.peakEvent, "padded-to-maximum",
        isGiven ? Grade::B : Grade::C, FindingKind::Fault);
    finding.bytes = wasteBytes;
    finding.title = fmt::format(
        "{} of the peak {} padding: hidden states have {} sequences of {} tokens, but logits only {} tokens "
        "each",
        isGiven ? formatBytes(wasteBytes) : upperFirst(formatAbout(wasteBytes)), isGiven ? "is" : "may be",
        shape.sequences, formatCount(numbers->positions), formatCount(shape.tokens));
    addPaddingEvidence(study, *padded, *numbers, finding);
    if (isGiven)
        finding.addEvidence({}, "Batch and length of the logits are those of the run's settings");
    finding.remedy = {fmt::format("Pad to the longest sequence of the batch instead of to {}",
                          formatCount(numbers->positions)),
        savingOf(study, *padded, *numbers)};
    finding.wouldDisprove = "Wrong if batches reach the maximum length, or a compiler needs static shapes";
    return {std::move(finding)};
}

} // namespace highwater

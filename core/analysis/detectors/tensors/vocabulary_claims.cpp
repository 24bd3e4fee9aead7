#include "core/analysis/detectors/tensors/vocabulary_claims.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/run/vocabularies.h"

namespace highwater {

namespace {

constexpr std::int64_t kLeastOddFactor = 51; ///< 8192 has 1, 32000 has 125, the odd 50257 has itself
constexpr std::int64_t kFewestNormsOfClaim = 4;
constexpr std::int64_t kMaxTokensOfVocabulary = 2'000'000;
constexpr std::int64_t kFewestTokensOfVocabulary = 1000;
constexpr std::int64_t kFewestCharacters = 32; ///< a vocabulary of characters, or of bytes
constexpr Bytes kShortestEmbedding = 128; ///< 64 elements of 16 bits

/// Returns the sizes of the parameters, or of the gradients if no parameter is known.
BlocksBySize parameterSizes(const DeviceStudy& study)
{
    const BlocksBySize parameters = sizesOf(study, Category::Parameter);
    return parameters.empty() ? sizesOf(study, Category::Gradient) : parameters;
}

/// Adds the vocabulary that a setting gives, if it has 32 entries or more. From 1,000 entries on, it is also
/// added as padded to a multiple of 64 and of 128.
void addGiven(const DetectorInput& input, std::vector<VocabularyClaim>& claims)
{
    const auto given = input.number({"padded_vocab_size", "vocab_size", "vocab", "vocabulary_size"});
    if (!given || *given < kFewestCharacters)
        return;
    for (const std::int64_t multiple : {1, 64, 128}) {
        const std::int64_t size = (*given + multiple - 1) / multiple * multiple;
        if (multiple > 1 && *given < kFewestTokensOfVocabulary)
            continue;
        if (std::ranges::none_of(claims, [&](const auto& claim) { return claim.size == size; }))
            claims.push_back({size, VocabularySource::Given,
                multiple == 1
                    ? "given by the run's settings"
                    : fmt::format("{} of the run's settings, padded to {}", formatCount(*given), multiple)});
    }
}

/// True if a parameter has as many elements as the vocabulary, in fp32 or 16 bits, and may be the bias of a
/// head. False for vocabularies that are not distinctive, since many parameters have such sizes.
bool hasBias(const BlocksBySize& sizes, const Vocabulary& known)
{
    return VocabularyClaim{known.size, VocabularySource::Embedding, ""}.isDistinctive()
        && (sizes.contains(known.size * 4) || sizes.contains(known.size * 2));
}

/// Adds each known vocabulary if a parameter has this many rows of at least 128 B. Another parameter, such as
/// the weight of a norm, must be as large as one row, or there must be a bias with one element per row.
void addEmbeddings(const BlocksBySize& sizes, std::vector<VocabularyClaim>& claims)
{
    for (const Vocabulary& known : knownVocabularies())
        for (const auto& [size, count] : sizes) {
            const Bytes row = size / known.size;
            const bool isNormed = sizes.contains(row);
            if (size % known.size != 0 || row < kShortestEmbedding || !(isNormed || hasBias(sizes, known)))
                continue;
            claims.push_back({known.size, VocabularySource::Embedding,
                fmt::format("{}; a parameter has {} rows of {}, {}", known.models, formatCount(known.size),
                    formatExactSize(row), isNormed ? "the width of the model" : "like another parameter")});
            break;
        }
}

/// Adds small vocabularies, of characters or bytes: the number of rows of a parameter, if it is from 32 to
/// 999 and not a usual width of a layer (`isDistinctive`).
void addCharacters(const BlocksBySize& sizes, Bytes row, std::vector<VocabularyClaim>& claims)
{
    for (const auto& [size, count] : sizes) {
        VocabularyClaim claim{size / row, VocabularySource::Factorised, "", row};
        if (size % row != 0 || claim.size < kFewestCharacters || claim.size >= kFewestTokensOfVocabulary
            || !claim.isDistinctive())
            continue;
        claim.reason
            = fmt::format("a parameter has {} rows of {}", formatCount(claim.size), formatExactSize(row));
        claims.push_back(std::move(claim));
    }
}

/// Adds the number of rows of a matrix if it is from 1,000 to 2 million and not yet in the list.
void addRows(Bytes matrix, Bytes row, bool isLargest, std::vector<VocabularyClaim>& claims)
{
    const std::int64_t size = matrix / row;
    if (matrix % row != 0 || size < kFewestTokensOfVocabulary || size > kMaxTokensOfVocabulary
        || std::ranges::find(claims, size, &VocabularyClaim::size) != claims.end())
        return;
    claims.push_back({size, VocabularySource::Factorised,
        fmt::format("{} parameter has {} rows of {}", isLargest ? "the largest" : "a", formatCount(size),
            formatExactSize(row)),
        row});
}

/// Adds the numbers of rows of parameters, from the largest parameter to the smallest. A row is as long as
/// the smallest parameter size that occurs at least four times, has at least 128 B and divides the largest
/// one.
void addFactorised(const BlocksBySize& sizes, std::vector<VocabularyClaim>& claims)
{
    if (sizes.empty())
        return;
    const Bytes largest = sizes.rbegin()->first;
    for (const auto& [row, count] : sizes) {
        if (row < kShortestEmbedding || count < kFewestNormsOfClaim || largest % row != 0)
            continue;
        for (auto matrix = sizes.rbegin(); matrix != sizes.rend(); ++matrix)
            addRows(matrix->first, row, matrix == sizes.rbegin(), claims);
        addCharacters(sizes, row, claims);
        return;
    }
}

/// True if the code looks up tokens. Without token lookups there is no vocabulary, although the weights of a
/// convolution may have as many rows by chance.
bool hasTokenLookups(const Trace& trace)
{
    const StackTable& stacks = trace.stacks;
    for (std::size_t i = 0; i < stacks.functionCount(); ++i)
        if (isTokenLookup(trace, stacks.function(i)))
            return true;
    return false;
}

} // namespace

bool isTokenLookup(const Trace& trace, const Frame& frame)
{
    const std::string_view name = trace.text(frame.function);
    return name == "embedding" || name == "embedding_bag" || contains(name, "::embedding")
        || forwardSlashes(trace.text(frame.file)).ends_with("/torch/nn/modules/sparse.py");
}

bool VocabularyClaim::isDistinctive() const
{
    std::int64_t oddFactor = size;
    while (oddFactor > 0 && oddFactor % 2 == 0)
        oddFactor /= 2;
    return oddFactor >= kLeastOddFactor;
}

std::vector<VocabularyClaim> vocabularyClaims(const DetectorInput& input)
{
    std::vector<VocabularyClaim> claims;
    addGiven(input, claims);
    if (!claims.empty() || !hasTokenLookups(input.study->trace))
        return claims;
    const BlocksBySize sizes = parameterSizes(*input.study);
    addEmbeddings(sizes, claims);
    addFactorised(sizes, claims);
    return claims;
}

} // namespace highwater

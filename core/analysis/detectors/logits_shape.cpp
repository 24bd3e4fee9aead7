#include "core/analysis/detectors/logits_shape.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/run/vocabularies.h"

namespace highwater {

namespace {

constexpr std::int64_t kFewestPositions = 16;
constexpr std::int64_t kLargestBatch = 64;
constexpr std::size_t kSplitsListed = 6;
constexpr Bytes kRounding = 512;

/// Elements of 16 bits, or of 32.
struct ElementType
{
    std::int64_t width;
    const char* name;
};
constexpr ElementType kHalf{2, "16-bit"};
constexpr ElementType kSingle{4, "fp32"};

/// The batch and length that the settings give, where their product is this many positions; lengths may be
/// shorter by the one that labels are shifted by.
std::optional<std::string> givenShape(const DetectorInput& input, std::int64_t positions)
{
    const auto batch
        = input.number({"micro_batch_size", "per_device_train_batch_size", "batch_size", "batch"});
    const auto length
        = input.number({"seq_len", "max_seq_length", "context_length", "block_size", "max_length"});
    if (batch && length)
        for (const std::int64_t tokens : {*length, *length - 1})
            if (*batch * tokens == positions)
                return fmt::format("B={}, T={}", *batch, tokens);
    for (const auto& [known, isBatch] : {std::pair(batch, true), std::pair(length, false)})
        if (known && positions % *known == 0)
            return isBatch ? fmt::format("B={}, T={}", *known, positions / *known)
                           : fmt::format("B={}, T={}", positions / *known, *known);
    return std::nullopt;
}

/// "8 × 174, 16 × 87": batches that are powers of two, as most are.
std::string splits(std::int64_t positions)
{
    std::string text;
    std::size_t listed = 0;
    for (std::int64_t batch = 1; batch <= kLargestBatch && positions % batch == 0; batch *= 2)
        if (positions / batch >= kFewestPositions && listed++ < kSplitsListed)
            text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", batch, formatCount(positions / batch));
    return text;
}

std::vector<std::string> rivalVocabularies(Bytes size, std::int64_t vocabulary, bool rounded)
{
    std::string rivals;
    for (const Vocabulary& known : knownVocabularies())
        if (known.size != vocabulary && positionsOf(size, known.size, rounded))
            rivals
                += fmt::format("{}V={} ({})", rivals.empty() ? "" : ", ", formatCount(known.size), known.of);
    return rivals.empty() ? std::vector<std::string>()
                          : std::vector<std::string>{"The size is also a multiple of " + rivals};
}

} // namespace

std::optional<std::int64_t> positionsOf(Bytes size, std::int64_t vocabulary, bool rounded)
{
    const std::int64_t row = vocabulary * kHalf.width;
    if (vocabulary <= 0 || size / row < kFewestPositions)
        return std::nullopt;
    const Bytes over = size % row;
    return over == 0 || (rounded && over < kRounding) ? std::optional(size / row) : std::nullopt;
}

LogitsShape logitsShape(const DetectorInput& input, Bytes size, std::int64_t vocabulary, bool rounded,
    bool hasDouble, bool hasHalf)
{
    LogitsShape shape;
    const std::int64_t halves = positionsOf(size, vocabulary, rounded).value_or(0);
    const std::string v = "V=" + formatCount(vocabulary);
    shape.rivals = rivalVocabularies(size, vocabulary, rounded);
    const bool canBeSingle = halves % 2 == 0;
    for (const auto& [type, positions] : {std::pair(kSingle, halves / 2), std::pair(kHalf, halves)}) {
        const bool possible = type.width == kHalf.width ? !hasHalf : canBeSingle && !hasDouble;
        if (!possible)
            continue;
        if (const auto given = givenShape(input, positions)) {
            shape.text = fmt::format("{} logits, {}, {}", type.name, *given, v);
            return shape;
        }
    }
    const bool isSingle = hasHalf && canBeSingle;
    const bool isHalf = hasDouble || !canBeSingle;
    if (isSingle || isHalf) {
        const std::int64_t positions = isSingle ? halves / 2 : halves;
        shape.text = fmt::format(
            "{} logits, B·T={}, {}", isSingle ? kSingle.name : kHalf.name, formatCount(positions), v);
        shape.rivals.push_back(fmt::format("B × T may be {}", splits(positions)));
        return shape;
    }
    shape.text = fmt::format(
        "logits, B·T={} in 16 bits or {} in fp32, {}", formatCount(halves), formatCount(halves / 2), v);
    shape.rivals.push_back(
        fmt::format("B × T may be {} in 16 bits, or {} in fp32", splits(halves), splits(halves / 2)));
    return shape;
}

} // namespace highwater

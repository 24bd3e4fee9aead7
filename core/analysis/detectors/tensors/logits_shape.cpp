#include "core/analysis/detectors/tensors/logits_shape.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::int64_t kFewestPositions = 16;
constexpr Bytes kRounding = 512;

/// An element type of 16 or 32 bits.
struct ElementType
{
    std::int64_t width;
    const char* name;
};
constexpr ElementType kHalf{2, "16-bit"};
constexpr ElementType kSingle{4, "fp32"};

/// Returns "B=8, T=174" if the product of the batch (or batch × group) and the length in the settings is this
/// many positions. The length may be one shorter, because labels are shifted by one.
std::optional<std::string> wholeShape(const DetectorInput& input, std::int64_t positions)
{
    const auto batch = input.batch();
    const auto length = input.length();
    if (!batch || !length)
        return std::nullopt;
    for (const std::int64_t sequences : {*batch, *batch * input.number({"group"}).value_or(1)})
        for (const std::int64_t tokens : {*length, *length - 1})
            if (sequences * tokens == positions)
                return fmt::format("B={}, T={}", sequences, tokens);
    return std::nullopt;
}

/// Returns "B=8, T=174" if the settings give the batch or the length, and it divides the positions.
std::optional<std::string> dividedShape(const DetectorInput& input, std::int64_t positions)
{
    if (const auto batch = input.batch(); batch && positions % *batch == 0)
        return fmt::format("B={}, T={}", *batch, positions / *batch);
    if (const auto length = input.length(); length && positions % *length == 0)
        return fmt::format("B={}, T={}", positions / *length, *length);
    return std::nullopt;
}

/// The possible element types and their numbers of positions. A copy of half the size means fp32, and a copy
/// of twice the size means 16 bits. An odd number of 16-bit elements rules out fp32.
struct ElementTypes
{
    std::int64_t halfPositions = 0; ///< positions if elements have 16 bits
    bool canBeSingle = true;
    bool canBeHalf = true;

    ElementTypes(std::int64_t positions, bool hasDouble, bool hasHalf)
        : halfPositions(positions)
        , canBeSingle(positions % 2 == 0 && (hasHalf || !hasDouble))
        , canBeHalf(!hasHalf || positions % 2 != 0)
    {
    }
    std::int64_t positions(const ElementType& type) const { return halfPositions * kHalf.width / type.width; }
};

/// Returns the full shape if the settings of the run give it, or nullopt if they do not fit.
std::optional<std::string> givenShape(const DetectorInput& input, const ElementTypes& elementTypes)
{
    for (const ElementType& type : {kHalf, kSingle})
        if (type.width == kHalf.width ? elementTypes.canBeHalf : elementTypes.canBeSingle)
            if (const auto shape = wholeShape(input, elementTypes.positions(type)))
                return fmt::format("{} logits, {}", type.name, *shape);
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> positionCount(Bytes size, std::int64_t vocabulary, bool isRounded)
{
    const std::int64_t row = vocabulary * kHalf.width;
    if (vocabulary <= 0 || size / row < kFewestPositions)
        return std::nullopt;
    const Bytes remainder = size % row;
    return remainder == 0 || (isRounded && remainder < kRounding) ? std::optional(size / row) : std::nullopt;
}

LogitsShape logitsShape(const DetectorInput& input, Bytes size, std::int64_t vocabulary, bool isRounded,
    bool hasDouble, bool hasHalf)
{
    LogitsShape shape;
    const ElementTypes elementTypes(
        positionCount(size, vocabulary, isRounded).value_or(0), hasDouble, hasHalf);
    const std::string vocabularyText = "vocabulary " + formatCount(vocabulary);
    if (const auto given = givenShape(input, elementTypes)) {
        shape.text = *given + ", " + vocabularyText;
    } else if (elementTypes.canBeSingle != elementTypes.canBeHalf) {
        const ElementType& type = elementTypes.canBeSingle ? kSingle : kHalf;
        const std::int64_t positions = elementTypes.positions(type);
        shape.text = fmt::format("{} logits, {}, {}", type.name,
            dividedShape(input, positions).value_or("B·T=" + formatCount(positions)), vocabularyText);
        if (hasDouble || hasHalf)
            shape.arithmetic = "Copies of half or twice the size show which are 16-bit and which fp32";
    } else {
        shape.text = vocabularyText;
        shape.arithmetic = fmt::format("{} is {} tokens × {} in 16 bits, or {} tokens in fp32",
            formatBytes(size), formatCount(elementTypes.halfPositions), formatCount(vocabulary),
            formatCount(elementTypes.halfPositions / 2));
    }
    return shape;
}

} // namespace highwater

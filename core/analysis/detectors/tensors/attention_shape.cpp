#include "core/analysis/detectors/tensors/attention_shape.h"

#include <array>
#include <map>

#include "core/analysis/categories/passing_category.h"
#include "core/analysis/detectors/worth_reporting.h"

namespace highwater {

namespace {

constexpr std::size_t kFewestBlocksOfLine = 4; ///< blocks from one line: one for each layer
constexpr std::int64_t kFewestNormsOfShape = 4;
constexpr std::int64_t kFewestTokensOfShape = 64;
constexpr Bytes kElementBytes = 4; ///< bytes of an fp32 element
constexpr std::array<std::int64_t, 7> kHeadWidths = {32, 40, 48, 64, 80, 96, 128};

using Blocks = std::map<std::pair<std::size_t, Bytes>, std::vector<AllocationIndex>>; ///< by line and size

/// Returns the activations of the peak that the trace allocated, by line and size.
Blocks activationsAtPeak(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    Blocks blocks;
    for (const AllocationIndex i : study.allocations.liveAt(input.figures.peakEvent))
        if (study.categories.of(i) == Category::Activation && study.allocations.birth(i) >= 0)
            blocks[{study.sites.of(i).index(), study.allocations.recordedBytes(i)}].push_back(i);
    return blocks;
}

/// Returns the bytes of one row of the hidden state. Weights of norms have this size: they are the smallest
/// parameters that occur several times. 0 if there are none.
Bytes hiddenRowBytes(const BlocksBySize& parameters)
{
    for (const auto& [size, count] : parameters)
        if (count >= kFewestNormsOfShape && size >= kFewestTokensOfShape * kElementBytes)
            return size;
    return 0;
}

/// Returns the tokens of a step: the number of rows that most blocks of the peak have, among those whose size
/// is a multiple of a row. 0 if unknown.
std::int64_t findTokensOfStep(const Blocks& blocks, Bytes rowBytes)
{
    std::map<std::int64_t, std::size_t> counts;
    for (const auto& [place, group] : blocks)
        if (place.second % rowBytes == 0)
            counts[place.second / rowBytes] += group.size();
    std::int64_t mostFrequent = 0;
    for (const auto& [rows, count] : counts)
        if (count >= kFewestBlocksOfLine && (mostFrequent == 0 || count > counts.at(mostFrequent)))
            mostFrequent = rows;
    return mostFrequent;
}

/// True if a weight or a bias has this width, so that a layer may have made the blocks.
bool hasLayerOfWidth(const BlocksBySize& parameters, std::int64_t width, Bytes rowBytes)
{
    return parameters.contains(width * kElementBytes) || parameters.contains(width * rowBytes);
}

/// Returns the possible sequence lengths T: those with heads × T = `width`, for heads of a usual width.
std::vector<std::int64_t> possibleLengths(std::int64_t tokens, std::int64_t width, Bytes rowBytes)
{
    std::vector<std::int64_t> fitting;
    for (const std::int64_t headWidth : kHeadWidths) {
        const std::int64_t heads = rowBytes / kElementBytes / headWidth;
        if (rowBytes % (headWidth * kElementBytes) != 0 || heads == 0 || width % heads != 0)
            continue;
        const std::int64_t length = width / heads;
        if (length >= kFewestTokensOfShape && tokens % length == 0)
            fitting.push_back(length);
    }
    return fitting;
}

/// Returns T if it is unambiguous: a table of positions has T rows, or only one T is possible.
std::optional<std::int64_t> lengthOfTokens(
    const BlocksBySize& parameters, std::int64_t tokens, std::int64_t width, Bytes rowBytes)
{
    const std::vector<std::int64_t> fitting = possibleLengths(tokens, width, rowBytes);
    for (const std::int64_t length : fitting)
        if (const auto table = parameters.find(length * rowBytes);
            table != parameters.end() && table->second == 1)
            return length;
    return fitting.size() == 1 ? std::optional(fitting.front()) : std::nullopt;
}

} // namespace

std::optional<AttentionShape> attentionBySizes(const DetectorInput& input)
{
    const BlocksBySize parameters = sizesOf(*input.study, Category::Parameter);
    const Bytes rowBytes = hiddenRowBytes(parameters);
    const Blocks blocks = activationsAtPeak(input);
    const std::int64_t tokens = rowBytes > 0 ? findTokensOfStep(blocks, rowBytes) : 0;
    if (tokens < kFewestTokensOfShape)
        return std::nullopt;
    std::optional<AttentionShape> bestShape;
    for (const auto& [place, group] : blocks) {
        const std::int64_t width = place.second / (tokens * kElementBytes);
        if (group.size() < kFewestBlocksOfLine || place.second % (tokens * kElementBytes) != 0
            || width * kElementBytes <= rowBytes || hasLayerOfWidth(parameters, width, rowBytes)
            || !blocks.contains({place.first, tokens * rowBytes})
            || (bestShape && bestShape->blocks.size() >= group.size()))
            continue;
        if (const auto length = lengthOfTokens(parameters, tokens, width, rowBytes))
            bestShape = AttentionShape{tokens * width / (*length * *length), *length, place.second, group};
    }
    return bestShape;
}

} // namespace highwater

#include "core/analysis/tensor_shapes/tensor_shapes.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/analysis/tensor_shapes/tensor_layouts.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxShapes = 5;
constexpr Bytes kBlockRounding = 512;
/// Smaller blocks get no shapes: they are scalars, counters and tables, for which any number fits.
constexpr Bytes kSmallest = 1024;
/// If sizes are rounded, the rows of an open dimension must have at least so many bytes. Otherwise the
/// rounding to 512 bytes could hide a mismatch.
constexpr Bytes kSmallestRoundedRow = 64 * kBlockRounding;
constexpr std::int64_t kFewestOpenRows = 16;
constexpr std::int64_t kShortestScores = 64; ///< shorter sequences match by chance
/// The smallest odd part of a distinctive vocabulary. The odd part of 8192 is 1, the odd part of 32000 is
/// 125, and 50257 is odd.
constexpr std::int64_t kLeastOddVocabulary = 51;
constexpr std::array<std::int64_t, 2> kUsualHeadSizes = {64, 128};

/// Costs that order the shapes. A shape with an open dimension, which no known number explains, is the worst.
constexpr int kOpenCost = 100;
constexpr int kAssumedCost = 40;
constexpr int kInferredCost = 10;
constexpr int kOddTypeCost = 6;
constexpr int kOtherTopicCost = 30;

/// The values chosen for the first dimensions of a layout.
struct PartialShape
{
    std::vector<ShapeDimension> dimensions;
    std::vector<std::string> reasons;
    Bytes product = 0; ///< bytes of one element × all dimensions
    int cost = 0;
    int inferred = 0; ///< number of dimensions that are inferred, open or assumed
};

std::string nameOf(const Factor& factor)
{
    const std::string name(toText(factor.dimension));
    return factor.times > 1 ? fmt::format("{} × {}", factor.times, name)
        : factor.less > 0   ? fmt::format("{} − {}", name, factor.less)
                            : name;
}

bool isOneOf(Category category, std::initializer_list<Category> all)
{
    return std::ranges::find(all, category) != all.end();
}

bool isWeight(Category category)
{
    return isOneOf(category, {Category::Parameter, Category::Gradient, Category::OptimizerState});
}

/// True if the odd part of the vocabulary is so large that few sizes are multiples of it by chance.
bool isDistinctive(std::int64_t vocabulary)
{
    return (vocabulary >> std::countr_zero(static_cast<std::uint64_t>(vocabulary))) >= kLeastOddVocabulary;
}

/// Returns the topic of the frames that allocate this kind of tensor; None if there is no special topic.
StackTopic topicOf(LayoutKind kind)
{
    return kind == LayoutKind::Attention ? StackTopic::Attention
        : kind == LayoutKind::Logits     ? StackTopic::Logits
                                         : StackTopic::None;
}

/// True for kinds of tensors that frames with another topic practically never allocate.
bool excludesOtherTopics(LayoutKind kind)
{
    return kind == LayoutKind::FeedForward || kind == LayoutKind::Attention || kind == LayoutKind::Logits;
}

/// Finds the shapes for one question.
class ShapeFinder
{
public:
    ShapeFinder(const ShapeQuestion& question, const KnownNumbers& numbers)
        : m_question(question)
        , m_numbers(numbers)
    {
    }

    std::vector<TensorShape> find()
    {
        for (const std::int64_t width : {4, 2, 1}) {
            for (const Layout& layout : tensorLayouts())
                if (isPossible(layout.kind, width, layout.factors.size()))
                    tryFactors(
                        layout, 0, {{}, {}, width, layout.cost + costOf(layout.kind, width), 0}, width);
            if (m_question.topic == StackTopic::Attention && width > 1
                && isPossible(LayoutKind::Attention, width, 4))
                solveScores(width);
            if (isPossible(LayoutKind::Logits, width, 2))
                addShapesOfAnyRows(width);
        }
        return bestShapes();
    }

private:
    /// True if a tensor of so many bytes has the size of the question.
    bool fits(Bytes product) const
    {
        return m_question.isRounded
            ? (product + kBlockRounding - 1) / kBlockRounding * kBlockRounding == m_question.bytes
            : product == m_question.bytes;
    }

    /// True if the allocation can be a tensor of this kind with elements of `width` bytes.
    bool isPossible(LayoutKind kind, std::int64_t width, std::size_t dimensions) const
    {
        const Category category = m_question.category;
        if (isOneOf(category, {Category::Workspace, Category::KvCache, Category::Input}))
            return false;
        if (width == 2 && !m_numbers.hasHalf)
            return false;
        if (width == 1) // masks, and 8-bit optimizer state
            return kind == LayoutKind::Weight ? category == Category::OptimizerState && dimensions > 1
                                              : kind == LayoutKind::Attention && !isWeight(category);
        if (kind != LayoutKind::Weight)
            return !isWeight(category) && !m_question.inOptimizer && (dimensions > 1 || width == 4);
        // Autocast keeps 16-bit copies of matrices, which look like activations.
        const bool isCastCopy = width == 2 && m_numbers.parameterWidth == 4 && dimensions > 1;
        return category != Category::Activation || isCastCopy;
    }

    /// Returns the cost of the kind and width, besides that of the layout.
    int costOf(LayoutKind kind, std::int64_t width) const
    {
        const bool isOtherWidth = m_numbers.parameterWidth > 0 && width != m_numbers.parameterWidth;
        int cost = isOtherWidth ? kOddTypeCost : 0;
        if (kind == LayoutKind::Weight && !isWeight(m_question.category) && !m_question.inOptimizer)
            cost += kOddTypeCost + 2;
        const StackTopic topic = topicOf(kind);
        if (topic != StackTopic::None && m_question.hasFrames && topic != m_question.topic)
            cost += kOtherTopicCost;
        if (m_question.topic != StackTopic::None && topic != m_question.topic)
            cost += excludesOtherTopics(kind) ? 2 * kOtherTopicCost : kOtherTopicCost / 3;
        return cost;
    }

    /// Tries every value of the factor at `factorIndex`, then of those after it. A dimension that occurs
    /// twice in a layout has one value.
    void tryFactors(
        const Layout& layout, std::size_t factorIndex, const PartialShape& partial, std::int64_t width)
    {
        if (factorIndex == layout.factors.size()) {
            if (fits(partial.product))
                add(layout.kind, partial, width);
            return;
        }
        const Factor& factor = layout.factors[factorIndex];
        for (const KnownNumber& number : m_numbers.all) {
            const std::int64_t value = number.value * factor.times - factor.less;
            if (number.dimension != factor.dimension || value < 1 || isNotFused(factor)
                || value > m_question.bytes / partial.product
                || contradicts(layout, factorIndex, partial, number))
                continue;
            tryFactors(
                layout, factorIndex + 1, withDimension(partial, {value, nameOf(factor)}, number), width);
        }
    }

    /// True for three times the hidden size if no parameter is that large.
    bool isNotFused(const Factor& factor) const
    {
        return factor.times == 3 && m_numbers.parameterWidth > 0 && !m_numbers.fusedQueries;
    }

    /// True if one of the first `factorCount` factors has another value of the same dimension.
    static bool contradicts(
        const Layout& layout, std::size_t factorCount, const PartialShape& partial, const KnownNumber& number)
    {
        for (std::size_t i = 0; i < factorCount; ++i) {
            const Factor& other = layout.factors[i];
            if (other.dimension == number.dimension
                && partial.dimensions[i].value != number.value * other.times - other.less)
                return true;
        }
        return false;
    }

    static PartialShape withDimension(
        PartialShape partial, ShapeDimension dimension, const KnownNumber& number)
    {
        partial.product *= dimension.value;
        partial.dimensions.push_back(std::move(dimension));
        const std::string reason
            = fmt::format("{} = {}: {}", toText(number.dimension), formatCount(number.value), number.reason);
        if (std::ranges::find(partial.reasons, reason) == partial.reasons.end())
            partial.reasons.push_back(reason);
        if (number.source == NumberSource::Inferred) {
            partial.cost += kInferredCost;
            ++partial.inferred;
        }
        return partial;
    }

    /// Derives B and T of attention scores from B·T and the number of heads. If that number is unknown,
    /// assumes a usual head size.
    void solveScores(std::int64_t width)
    {
        for (const KnownNumber& tokens : m_numbers.all)
            for (const KnownNumber& other : m_numbers.all)
                if (tokens.dimension != Dimension::Tokens)
                    continue;
                else if (other.dimension == Dimension::Heads)
                    addScores(width, tokens, other, other.value, "");
                else if (other.dimension == Dimension::Hidden && !m_numbers.has(Dimension::Heads))
                    for (const std::int64_t size : kUsualHeadSizes)
                        if (other.value % size == 0)
                            addScores(width, tokens, other, other.value / size,
                                fmt::format("a head size of {} is assumed", size));
    }

    void addScores(std::int64_t width, const KnownNumber& tokens, const KnownNumber& basis,
        std::int64_t heads, const std::string& assumption)
    {
        if (m_question.bytes / width != m_numbers.scoreElements
            || tokens.value > m_question.bytes / heads / width)
            return;
        const Bytes row = tokens.value * heads * width;
        const std::int64_t length = m_question.bytes / row;
        if (length < kShortestScores || !fits(row * length) || tokens.value % length != 0)
            return;
        PartialShape partial{{}, {}, width, costOf(LayoutKind::Attention, width), 1};
        partial = withDimension(partial, {tokens.value / length, "B?"}, tokens);
        partial = withDimension(partial, {heads, assumption.empty() ? "heads" : "heads?"}, basis);
        partial.dimensions.push_back({length, "T?"});
        partial.dimensions.push_back({length, "T?"});
        if (!assumption.empty()) {
            partial.reasons.push_back(assumption);
            partial.cost += kAssumedCost;
        }
        add(LayoutKind::Attention, partial, width);
    }

    /// Adds logits with any number of rows, if the vocabulary is distinctive.
    void addShapesOfAnyRows(std::int64_t width)
    {
        for (const KnownNumber& number : m_numbers.all) {
            const Bytes row = number.value * width;
            if (number.dimension != Dimension::Vocabulary || !isDistinctive(number.value)
                || (m_question.isRounded && row < kSmallestRoundedRow))
                continue;
            const std::int64_t rows = m_question.bytes / row;
            if (rows >= kFewestOpenRows && fits(rows * row))
                addOpenShapes(number, rows, width);
        }
    }

    void addOpenShapes(const KnownNumber& columns, std::int64_t rows, std::int64_t width)
    {
        constexpr LayoutKind kind = LayoutKind::Logits;
        const std::string last(toText(columns.dimension));
        PartialShape open{{}, {}, width, costOf(kind, width) + kOpenCost, 1};
        for (const KnownNumber& batch : m_numbers.all)
            if (batch.dimension == Dimension::Batch && rows % batch.value == 0 && rows > batch.value) {
                PartialShape divided = withDimension(open, {batch.value, "B"}, batch);
                divided.dimensions.push_back({rows / batch.value, "T?"});
                divided.cost -= kInferredCost;
                add(kind, withDimension(divided, {columns.value, last}, columns), width);
            }
        open.dimensions.push_back({rows, "rows?"});
        add(kind, withDimension(open, {columns.value, last}, columns), width);
    }

    void add(LayoutKind kind, const PartialShape& partial, std::int64_t width)
    {
        const bool topicAgrees = m_question.topic != StackTopic::None && topicOf(kind) == m_question.topic;
        TensorShape shape{partial.dimensions, width,
            partial.inferred == 0 && topicAgrees ? Grade::B : Grade::C, partial.cost, {}};
        for (const std::string& reason : partial.reasons)
            shape.reason += (shape.reason.empty() ? "" : "; ") + reason;
        m_found.push_back(std::move(shape));
    }

    /// Returns the shapes by cost, without shapes of equal text. Shapes with an open dimension count only if
    /// no other shape was found.
    std::vector<TensorShape> bestShapes()
    {
        std::ranges::stable_sort(m_found, {}, &TensorShape::cost);
        std::vector<TensorShape> shapes;
        for (TensorShape& shape : m_found) {
            const bool isKnown = std::ranges::any_of(
                shapes, [&](const TensorShape& other) { return other.text() == shape.text(); });
            const bool isOpen = !shapes.empty() && shapes.front().cost < kOpenCost && shape.cost >= kOpenCost;
            if (!isKnown && !isOpen && shapes.size() < kMaxShapes)
                shapes.push_back(std::move(shape));
        }
        return shapes;
    }

    const ShapeQuestion& m_question;
    const KnownNumbers& m_numbers;
    std::vector<TensorShape> m_found;
};

} // namespace

std::string TensorShape::text() const
{
    std::string sizes; // no thousands separators: "8,192, 3,072" would look like four numbers
    for (const ShapeDimension& dimension : dimensions)
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(dimension.value);
    return fmt::format("[{}] {}", sizes, elementBytes == 4 ? "fp32" : elementBytes == 2 ? "16-bit" : "8-bit");
}

std::string TensorShape::names() const
{
    std::string names;
    for (const ShapeDimension& dimension : dimensions)
        names += (names.empty() ? "" : " · ") + dimension.name;
    return names;
}

std::vector<TensorShape> tensorShapes(const ShapeQuestion& question, const KnownNumbers& numbers)
{
    if (question.bytes < kSmallest || numbers.all.empty())
        return {};
    return ShapeFinder(question, numbers).find();
}

} // namespace highwater

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/tensors/attention_shape.h"
#include "core/analysis/detectors/worth_saying.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::int64_t kShortest = 16;
constexpr std::int64_t kLongest = 1 << 20;
constexpr Bytes kSmallestMatrix = 64 * kKiB;
/// Sequences times heads: rows of masks have fewer bytes than sums, as if T were longer and the heads fewer.
constexpr Bytes kFewestHeads = 2;
/// Sizes of matrices are those with more than 1/kLeastPart of the softmax's bytes.
constexpr Bytes kLeastPart = 10;
/// How many allocations before and behind a matrix may be its sums.
constexpr AllocationIndex kBeside = 8;

/// The loss has a softmax as well, over the vocabulary.
bool isSoftmax(std::string_view function)
{
    return contains(function, "softmax") && !contains(function, "log_softmax")
        && !contains(function, "logsoftmax") && !contains(function, "LogSoftmax");
}

/// Frames without a name of their own take that of the symbol before them, which may be one of attention.
bool isLoss(std::string_view function)
{
    return contains(function, "log_softmax") || contains(function, "LogSoftmax")
        || contains(function, "cross_entropy") || contains(function, "nll_loss")
        || contains(function, "NllLoss");
}

bool isAttention(std::string_view function)
{
    return contains(function, "attention") || contains(function, "Attention") || contains(function, "attn")
        || function == "sdpa";
}

/// T by the sums over rows of a softmax written by hand: the matrix has T times their bytes. None: it is none
/// of its sums.
std::int64_t lengthBySums(Bytes matrix, Bytes rows)
{
    const std::int64_t length = rows > 0 && matrix % rows == 0 ? matrix / rows : 0;
    const bool fits = length >= kShortest && length <= kLongest && matrix % (length * length * 4) == 0
        && matrix >= length * length * 4 * kFewestHeads;
    return fits ? length : 0;
}

class Matrices
{
public:
    explicit Matrices(const DetectorInput& input)
        : m_study(*input.study)
        , m_softmax(StacksWith::function(m_study.trace, isSoftmax))
        , m_attention(StacksWith::function(m_study.trace, isAttention))
        , m_loss(StacksWith::function(m_study.trace, isLoss))
    {
        const AllocationTable& allocations = m_study.allocations;
        for (AllocationIndex i = 0; i < allocations.size(); ++i)
            if (allocations.recordedBytes(i) > 0 && isOfAttention(i)
                && m_softmax.contains(allocations.stack(i)))
                ++m_softmaxSizes[allocations.recordedBytes(i)];
        Bytes all = 0;
        for (const auto& [size, count] : m_softmaxSizes)
            all += size * count;
        for (const auto& [size, count] : m_softmaxSizes)
            if (size >= kSmallestMatrix && size * count > all / kLeastPart)
                m_sizes.insert(size);
        const StacksWith python(
            m_study.trace, [](const Frame& frame) { return frame.kind == FrameKind::Python; });
        for (AllocationIndex i = 0; i < allocations.size(); ++i) {
            if (!m_sizes.contains(allocations.recordedBytes(i)))
                continue;
            const bool alive = allocations.isLiveAt(i, input.figures.peakEvent);
            if (isOfAttention(i)) {
                m_cuts.push_back({i});
                if (alive)
                    m_atPeak[allocations.recordedBytes(i)].push_back(i);
            } else if (alive && mayBeOfBackward(i) && !python.contains(allocations.stack(i))) {
                m_unnamed.push_back(i);
            }
        }
    }

    const std::map<Bytes, std::vector<AllocationIndex>>& atPeak() const { return m_atPeak; }
    /// Of the peak, as large, made without Python frames: backward's, if they are of attention at all.
    const std::vector<AllocationIndex>& unnamed() const { return m_unnamed; }
    const std::vector<LifetimeCut>& cuts() const { return m_cuts; }
    /// Lengths by frequency. Sums are made right beside their matrix; matrices of other batches are none.
    std::map<std::int64_t, std::int64_t> votes() const
    {
        std::map<std::int64_t, std::int64_t> votes;
        const auto count = static_cast<AllocationIndex>(m_study.allocations.size());
        for (const LifetimeCut& matrix : m_cuts)
            for (AllocationIndex i = matrix.allocation - std::min(matrix.allocation, kBeside);
                 i < std::min(matrix.allocation + kBeside, count); ++i)
                if (isOfAttention(i) && m_softmax.contains(m_study.allocations.stack(i)))
                    ++votes[lengthBySums(m_study.allocations.recordedBytes(matrix.allocation),
                        m_study.allocations.recordedBytes(i))];
        votes.erase(0);
        return votes;
    }

private:
    bool mayBeOfBackward(AllocationIndex i) const
    {
        const Category category = m_study.categories.of(i);
        return m_study.allocations.birth(i) >= 0 && category != Category::Parameter
            && category != Category::Gradient && category != Category::OptimizerState;
    }

    bool isOfAttention(AllocationIndex i) const
    {
        return m_study.allocations.stackOrigin(i) != StackOrigin::Free
            && m_attention.contains(m_study.allocations.stack(i))
            && !m_loss.contains(m_study.allocations.stack(i));
    }

    const DeviceStudy& m_study;
    StacksWith m_softmax;
    StacksWith m_attention;
    StacksWith m_loss;
    BlocksBySize m_softmaxSizes;
    std::set<Bytes> m_sizes; ///< of matrices
    std::map<Bytes, std::vector<AllocationIndex>> m_atPeak;
    std::vector<AllocationIndex> m_unnamed; ///< ascending
    std::vector<LifetimeCut> m_cuts;
};

/// T, how it is known, and what else it may be.
struct Length
{
    std::int64_t tokens = 0; ///< 0: not known
    Grade grade = Grade::B; ///< of the finding: frames speak of attention; A where the settings fit as well
    std::string reason;
};

/// Whether B·heads·T² elements of 16 or 32 bits are this many bytes for a whole B.
bool isWhole(Bytes size, std::int64_t heads, std::int64_t tokens)
{
    return tokens <= kLongest && size % (tokens * tokens * 2) == 0
        && size / (tokens * tokens * 2) % heads == 0;
}

Length sequenceLengthOf(const DetectorInput& input, const Matrices& matrices, Bytes size)
{
    const auto heads = input.number({"num_attention_heads", "n_head", "num_heads", "heads"});
    const auto given = input.length();
    if (heads && given && isWhole(size, *heads, *given))
        return {*given, Grade::A,
            fmt::format("{} = B × {} heads × {}² elements, by the run's settings", formatExactBytes(size),
                formatCount(*heads), formatCount(*given))};
    const std::map<std::int64_t, std::int64_t> votes = matrices.votes();
    if (votes.empty())
        return {0, Grade::B,
            "Softmax and attention code allocates them; their shape does not follow from sizes alone"};
    // Of equals the longest: sums of indices are twice as wide as the matrix, never narrower.
    const auto best = std::ranges::max_element(votes, [](const auto& a, const auto& b) {
        return std::tie(a.second, a.first) < std::tie(b.second, b.first);
    });
    return {best->first, Grade::B,
        fmt::format("Each matrix is T × T with T = {}, so that B·heads is {} in fp32, {} in 16 bits",
            formatCount(best->first), formatCount(size / (best->first * best->first * 4)),
            formatCount(size / (best->first * best->first * 2)))};
}

constexpr const char* kRemedy = "Use torch.nn.functional.scaled_dot_product_attention (flash or "
                                "memory-efficient): it does not keep the matrices";

/// Without frames that name a softmax, as in Python's stacks of a fused call: by the sizes alone.
std::vector<Finding> bySizes(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::optional<AttentionShape> shape = attentionBySizes(input);
    const Bytes bytes = shape ? bytesOf(study.allocations, shape->blocks) : 0;
    if (!isWorthSaying(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "attention-materialised", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format("{} attention matrices ({}² per head) take {} ({}) of the peak",
        formatCount(shape->blocks.size()), formatCount(shape->tokens), formatBytes(bytes),
        formatShare(bytes, input.figures.peakBytes));
    finding.addEvidence(AllocationsTarget{shape->blocks},
        "{} of {}, {} × {}² in fp32 (sequences × heads), from {}", blocksText(shape->blocks.size()),
        formatExactBytes(shape->size), formatCount(shape->matrices), formatCount(shape->tokens),
        placesOf(study, shape->blocks));
    finding.addEvidence({}, "No layer has an output of this width");
    std::vector<LifetimeCut> cuts;
    const SiteId site = study.sites.of(shape->blocks.front());
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (study.allocations.recordedBytes(i) == shape->size && study.sites.of(i) == site)
            cuts.push_back({i});
    // What backward makes of them, without a frame, goes as well.
    finding.remedy = {kRemedy, peakSaving(study, cuts), false, true};
    finding.wouldDisprove = "Wrong if that line makes other tensors of this size";
    return {std::move(finding)};
}

} // namespace

std::vector<Finding> findAttentionMaterialised(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Matrices matrices(input);
    Bytes bytes = 0;
    Bytes mostBytes = 0;
    Bytes mainSize = 0;
    std::size_t count = 0;
    for (const auto& [size, blocks] : matrices.atPeak()) {
        const Bytes ofSize = bytesOf(study.allocations, blocks);
        bytes += ofSize;
        count += blocks.size();
        if (ofSize > mostBytes) {
            mostBytes = ofSize;
            mainSize = size;
        }
    }
    if (bytes == 0)
        return bySizes(input);
    if (!isWorthSaying(input, bytes))
        return {};
    const Length length = sequenceLengthOf(input, matrices, mainSize);
    Finding finding = findingAt(
        input, input.figures.peakEvent, "attention-materialised", length.grade, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format("{} attention {}{} {} {} ({}) of the peak", formatCount(count),
        count == 1 ? "matrix" : "matrices",
        length.tokens > 0 ? fmt::format(" ({}² per head)", formatCount(length.tokens)) : "",
        count == 1 ? "takes" : "take", formatBytes(bytes), formatShare(bytes, input.figures.peakBytes));
    for (const auto& [size, blocks] : matrices.atPeak())
        finding.addEvidence(AllocationsTarget{blocks}, "{} of {} alive at the peak, from {}",
            blocksText(blocks.size()), formatExactBytes(size), placesOf(study, blocks));
    if (const auto& unnamed = matrices.unnamed(); !unnamed.empty())
        finding.addEvidence(AllocationsTarget{unnamed},
            "Not counted: {} of these sizes, {}, without Python frames, as in backward",
            blocksText(unnamed.size()), formatBytes(bytesOf(study.allocations, unnamed)));
    finding.addEvidence({}, length.reason);
    finding.remedy = {kRemedy, peakSaving(study, matrices.cuts()), true};
    finding.wouldDisprove
        = "Wrong if these functions make other tensors of this size, or your code asks for attention weights";
    return {std::move(finding)};
}

} // namespace highwater

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/tensors/attention_shape.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

// Finds the B·heads·T² score matrices that attention keeps if it computes its softmax step by step.
// Input: the stacks and sizes of all allocations. Idea: the largest sizes made by softmax frames within
// attention are matrix sizes; every block of such a size from attention counts, with or without softmax.
// Example (2 sequences × 2 heads, T = 128, fp32), all frames below within self_attention:
//   alloc scores 262,144 (no softmax); alloc rows 2,048 and alloc exp 262,144 (softmax); free rows;
//   alloc other 262,144 without a stack.
// The softmax blocks have 264,192 bytes. 2,048 is less than 64 KiB, so 262,144 is the only matrix size.
// At the peak, scores and exp match it: 524,288 bytes. `other` is only mentioned, as possibly backward's.
// 262,144 / 2,048 = 128 makes rows the row sums of the matrices next to it: T = 128, and
// B·heads = 262,144 / (128² · 4) = 4. Grade B, or A if the settings give n_head = 2 and seq_len = 128.

namespace highwater {

namespace {

constexpr std::int64_t kShortest = 16;
constexpr std::int64_t kLongest = 1 << 20;
constexpr Bytes kSmallestMatrix = 64 * kKiB;
/// Least product of sequences and heads, counted in elements of 4 bytes. The row sums of a mask, whose
/// elements are narrower, look like those of a longer T with fewer heads; many of these are rejected by this
/// limit, and the votes decide between the rest.
constexpr std::int64_t kLeastBatchTimesHeads = 2;
/// A size counts as a matrix if it has more than 1/kMatrixDivisor of the bytes of all softmax blocks.
constexpr std::int64_t kMatrixDivisor = 10;
/// Row sums are searched among this many allocations before a matrix, and one less after it.
constexpr AllocationIndex kNeighbours = 8;

/// True for a softmax that is not part of a loss over the vocabulary.
bool isSoftmax(std::string_view function)
{
    return contains(function, "softmax") && !contains(function, "log_softmax")
        && !contains(function, "logsoftmax") && !contains(function, "LogSoftmax");
}

/// True for a function of the loss. A frame without a symbol of its own is named after the symbol before it,
/// which may be a function of attention.
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

/// Returns T if `rows` can be the size of the row sums of a matrix in a hand-written softmax: the matrix then
/// has T times as many bytes. 0 if not.
std::int64_t lengthBySums(Bytes matrix, Bytes rows)
{
    const std::int64_t length = rows > 0 && matrix % rows == 0 ? matrix / rows : 0;
    const bool isFitting = length >= kShortest && length <= kLongest && matrix % (length * length * 4) == 0
        && matrix >= length * length * 4 * kLeastBatchTimesHeads;
    return isFitting ? length : 0;
}

class Matrices
{
public:
    explicit Matrices(const DetectorInput& input)
        : m_study(*input.study)
        , m_softmaxStacks(StacksWith::function(m_study.trace, isSoftmax))
        , m_attentionStacks(StacksWith::function(m_study.trace, isAttention))
        , m_lossStacks(StacksWith::function(m_study.trace, isLoss))
    {
        const AllocationTable& allocations = m_study.allocations;
        for (AllocationIndex i = 0; i < allocations.size(); ++i)
            if (allocations.recordedBytes(i) > 0 && isOfAttention(i)
                && m_softmaxStacks.contains(allocations.stack(i)))
                ++m_softmaxSizes[allocations.recordedBytes(i)];
        Bytes softmaxBytes = 0;
        for (const auto& [size, count] : m_softmaxSizes)
            softmaxBytes += size * count;
        for (const auto& [size, count] : m_softmaxSizes)
            if (size >= kSmallestMatrix && size * count > softmaxBytes / kMatrixDivisor)
                m_sizes.insert(size);
        const StacksWith pythonStacks(
            m_study.trace, [](const Frame& frame) { return frame.kind == FrameKind::Python; });
        for (AllocationIndex i = 0; i < allocations.size(); ++i) {
            if (!m_sizes.contains(allocations.recordedBytes(i)))
                continue;
            const bool isAlive = allocations.isLiveAt(i, input.figures.peakEvent);
            if (isOfAttention(i)) {
                m_cuts.push_back({i});
                if (isAlive)
                    m_blocksAtPeak[allocations.recordedBytes(i)].push_back(i);
            } else if (isAlive && mayBeOfBackward(i) && !pythonStacks.contains(allocations.stack(i))) {
                m_blocksWithoutPython.push_back(i);
            }
        }
    }

    const std::map<Bytes, std::vector<AllocationIndex>>& atPeak() const { return m_blocksAtPeak; }
    /// Blocks of the peak with the size of a matrix but without Python frames. If they belong to attention,
    /// backward made them.
    const std::vector<AllocationIndex>& unnamed() const { return m_blocksWithoutPython; }
    const std::vector<LifetimeCut>& cuts() const { return m_cuts; }
    /// Returns how often each length T follows from row sums next to a matrix. Row sums are allocated close
    /// to their matrix; farther blocks may belong to other batches.
    std::map<std::int64_t, std::int64_t> votes() const
    {
        std::map<std::int64_t, std::int64_t> votes;
        const auto count = static_cast<AllocationIndex>(m_study.allocations.size());
        for (const LifetimeCut& matrix : m_cuts)
            for (AllocationIndex i = matrix.allocation - std::min(matrix.allocation, kNeighbours);
                 i < std::min(matrix.allocation + kNeighbours, count); ++i)
                if (isOfAttention(i) && m_softmaxStacks.contains(m_study.allocations.stack(i)))
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
            && m_attentionStacks.contains(m_study.allocations.stack(i))
            && !m_lossStacks.contains(m_study.allocations.stack(i));
    }

    const DeviceStudy& m_study;
    StacksWith m_softmaxStacks;
    StacksWith m_attentionStacks;
    StacksWith m_lossStacks;
    BlocksBySize m_softmaxSizes;
    std::set<Bytes> m_sizes; ///< sizes of the matrices
    std::map<Bytes, std::vector<AllocationIndex>> m_blocksAtPeak;
    std::vector<AllocationIndex> m_blocksWithoutPython; ///< ascending
    std::vector<LifetimeCut> m_cuts;
};

/// The sequence length T and the reason for it.
struct Length
{
    std::int64_t tokens = 0; ///< 0 if unknown
    Grade grade = Grade::B; ///< grade of the finding: B from attention frames, A if the settings fit as well
    std::string reason;
};

/// True if the size is B·heads·T² elements of 16 or 32 bits for an integer B.
bool isWholeBatch(Bytes size, std::int64_t heads, std::int64_t tokens)
{
    return tokens <= kLongest && size % (tokens * tokens * 2) == 0
        && size / (tokens * tokens * 2) % heads == 0;
}

Length sequenceLengthOf(const DetectorInput& input, const Matrices& matrices, Bytes size)
{
    const auto heads = input.number({"num_attention_heads", "n_head", "num_heads", "heads"});
    const auto givenLength = input.length();
    if (heads && givenLength && isWholeBatch(size, *heads, *givenLength))
        return {*givenLength, Grade::A,
            fmt::format("The run's settings give {} = B × {} heads × {}² elements", formatExactSize(size),
                formatCount(*heads), formatCount(*givenLength))};
    const std::map<std::int64_t, std::int64_t> votes = matrices.votes();
    if (votes.empty())
        return {0, Grade::B,
            "Softmax and attention code allocates the matrices; their shape does not follow from sizes "
            "alone"};
    // On a tie the longest T wins: int64 indices per row are wider than the elements of the matrix and
    // suggest too short a T.
    const auto mostVotes = std::ranges::max_element(votes, [](const auto& a, const auto& b) {
        return std::tie(a.second, a.first) < std::tie(b.second, b.first);
    });
    return {mostVotes->first, Grade::B,
        fmt::format("Each matrix is T × T with T = {}, so that B·heads is {} in fp32, {} in 16 bits",
            formatCount(mostVotes->first), formatCount(size / (mostVotes->first * mostVotes->first * 4)),
            formatCount(size / (mostVotes->first * mostVotes->first * 2)))};
}

constexpr const char* kRemedy = "Use torch.nn.functional.scaled_dot_product_attention (flash or "
                                "memory-efficient): it does not keep the matrices";

/// Finds attention matrices by size alone. Needed if no frame names a softmax, as in the Python stacks of a
/// fused call.
std::vector<Finding> findingsBySize(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::optional<AttentionShape> shape = attentionBySizes(input);
    const Bytes bytes = shape ? bytesOf(study.allocations, shape->blocks) : 0;
    if (!isWorthReporting(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "attention-materialised", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format("{} tensors of attention matrices ({}² per head) take {} ({}) of the peak",
        formatCount(shape->blocks.size()), formatCount(shape->tokens), formatBytes(bytes),
        formatShare(bytes, input.figures.peakBytes));
    finding.addEvidence(AllocationsTarget{shape->blocks},
        "The peak includes {} of {}, each {} × {}² in fp32 (sequences × heads), allocated by {}",
        blocksText(shape->blocks.size()), formatBytes(shape->size), formatCount(shape->matrices),
        formatCount(shape->tokens), placesOf(study, shape->blocks));
    finding.addEvidence({}, "No layer has an output of this width");
    std::vector<LifetimeCut> cuts;
    const SiteId site = study.sites.of(shape->blocks.front());
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (study.allocations.recordedBytes(i) == shape->size && study.sites.of(i) == site)
            cuts.push_back({i});
    // The saving is a lower bound: copies that backward makes have no frames, but would be freed as well.
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
        const Bytes bytesOfSize = bytesOf(study.allocations, blocks);
        bytes += bytesOfSize;
        count += blocks.size();
        if (bytesOfSize > mostBytes) {
            mostBytes = bytesOfSize;
            mainSize = size;
        }
    }
    if (bytes == 0)
        return findingsBySize(input);
    if (!isWorthReporting(input, bytes))
        return {};
    const Length length = sequenceLengthOf(input, matrices, mainSize);
    Finding finding = findingAt(
        input, input.figures.peakEvent, "attention-materialised", length.grade, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format("{} of attention matrices{} {} {} ({}) of the peak",
        counted(static_cast<std::int64_t>(count), "tensor", "tensors"),
        length.tokens > 0 ? fmt::format(" ({}² per head)", formatCount(length.tokens)) : "",
        count == 1 ? "takes" : "take", formatBytes(bytes), formatShare(bytes, input.figures.peakBytes));
    // Short lists show only the first piece of evidence, so the sizes that take most come first.
    std::vector<std::pair<Bytes, std::vector<AllocationIndex>>> sizes(
        matrices.atPeak().begin(), matrices.atPeak().end());
    std::ranges::stable_sort(sizes, std::ranges::greater(),
        [&](const auto& each) { return bytesOf(study.allocations, each.second); });
    for (const auto& [size, blocks] : sizes)
        finding.addEvidence(AllocationsTarget{blocks}, "The peak includes {} of {}{}, allocated by {}",
            blocksText(blocks.size()), formatBytes(size),
            sizes.size() > 1 ? fmt::format(" ({})", formatBytes(bytesOf(study.allocations, blocks))) : "",
            placesOf(study, blocks));
    if (const auto& unnamed = matrices.unnamed(); !unnamed.empty()) {
        finding.addEvidence(AllocationsTarget{unnamed},
            "The count leaves out {} of these sizes ({}) without Python frames, as in backward",
            blocksText(unnamed.size()), formatBytes(bytesOf(study.allocations, unnamed)));
        finding.evidence.back().isContext = true;
    }
    finding.addEvidence({}, length.reason);
    finding.remedy = {kRemedy, peakSaving(study, matrices.cuts()), true};
    finding.wouldDisprove
        = "Wrong if these functions make other tensors of this size, or your code asks for attention weights";
    return {std::move(finding)};
}

} // namespace highwater

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::size_t kSizesNamed = 4;

/// True for wrappers of autocast that cast to a narrower type. Their demangled names contain the value 0 of
/// CastPolicy, which is lower_precision_fp (aten/src/ATen/autocast_mode.h).
bool isLoweringAutocast(std::string_view function)
{
    return contains(function, "at::autocast::") && contains(function, "CastPolicy)0");
}

bool isAutocastCopy(std::string_view function)
{
    return contains(function, "::_to_copy");
}

/// False for gradients and optimizer state: they have the sizes of parameters, and autocast does not cast
/// them.
bool mayBeCast(Category category)
{
    return category != Category::Gradient && category != Category::OptimizerState;
}

/// The copies that autocast made.
class Copies
{
public:
    explicit Copies(const DetectorInput& input)
        : m_study(*input.study)
        , m_autocastStacks(StacksWith::function(m_study.trace, isLoweringAutocast))
        , m_copyStacks(StacksWith::function(m_study.trace, isAutocastCopy))
    {
        const AllocationTable& allocations = m_study.allocations;
        for (AllocationIndex i = 0; i < allocations.size(); ++i) {
            const bool isAlive = allocations.isLiveAt(i, input.figures.peakEvent);
            const Bytes size = allocations.recordedBytes(i);
            if (isCopy(i)) {
                m_cuts.push_back({i});
                if (isAlive) {
                    m_atPeak.push_back(i);
                    m_bySize[size].push_back(i);
                }
            } else if (m_study.categories.of(i) == Category::Parameter) {
                m_parameters.insert(size);
            } else if (isAlive && mayBeCast(m_study.categories.of(i))) {
                ++m_otherBlocks[size];
            }
        }
    }

    const std::vector<AllocationIndex>& atPeak() const { return m_atPeak; }
    /// Returns the copies alive at the peak for the four sizes with most bytes, largest first.
    std::vector<std::pair<Bytes, std::vector<AllocationIndex>>> largestSizes() const
    {
        std::vector<std::pair<Bytes, std::vector<AllocationIndex>>> sizes(m_bySize.begin(), m_bySize.end());
        std::ranges::stable_sort(sizes, std::ranges::greater(),
            [](const auto& size) { return size.first * static_cast<Bytes>(size.second.size()); });
        sizes.resize(std::min(sizes.size(), kSizesNamed));
        return sizes;
    }
    /// Describes the tensors from which copies of this size were made. They are weights if a parameter has
    /// twice the bytes, and fewer than a quarter as many other live blocks as copies have.
    std::string originalsOf(Bytes size) const
    {
        const auto others = m_otherBlocks.find(size * 2);
        const std::int64_t otherBlocks = others == m_otherBlocks.end() ? 0 : others->second;
        if (!m_parameters.contains(size * 2))
            return "copies of activations: no parameter has twice the bytes";
        return otherBlocks * 4 < static_cast<std::int64_t>(m_bySize.at(size).size())
            ? "copies of weights: a parameter has twice the bytes"
            : "copies of weights or activations: both have twice the bytes";
    }
    const std::vector<LifetimeCut>& cuts() const { return m_cuts; }

private:
    bool isCopy(AllocationIndex i) const
    {
        const StackId stack = m_study.allocations.stack(i);
        return m_study.allocations.stackOrigin(i) != StackOrigin::Free && m_autocastStacks.contains(stack)
            && m_copyStacks.contains(stack);
    }

    const DeviceStudy& m_study;
    StacksWith m_autocastStacks;
    StacksWith m_copyStacks;
    std::vector<AllocationIndex> m_atPeak; ///< ascending
    std::map<Bytes, std::vector<AllocationIndex>> m_bySize; ///< the same blocks by size
    std::set<Bytes> m_parameters; ///< sizes of the parameters
    std::map<Bytes, std::int64_t> m_otherBlocks; ///< number of other blocks of the peak, by size
    std::vector<LifetimeCut> m_cuts;
};

} // namespace

std::vector<Finding> findAutocastCopies(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Copies copies(input);
    const Bytes bytes = bytesOf(study.allocations, copies.atPeak());
    if (!isWorthReporting(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "autocast-copies", Grade::A, FindingKind::Fact);
    finding.bytes = bytes;
    finding.title = fmt::format("{} ({}) of the peak is autocast's half-precision copies", formatBytes(bytes),
        formatShare(bytes, input.figures.peakBytes));
    finding.addEvidence(AllocationsTarget{copies.atPeak()}, "The copies are in {}, allocated by {}",
        blocksText(copies.atPeak().size()), placesOf(study, copies.atPeak()));
    for (const auto& [size, blocks] : copies.largestSizes())
        finding.addEvidence(AllocationsTarget{blocks}, "{} of {} must be {}", blocksText(blocks.size()),
            formatExactSize(size), copies.originalsOf(size));
    finding.remedy = {"Keep the weights in bf16 with fp32 masters in the optimizer, and cast an input once "
                      "where several layers read it (query, key, value)",
        peakSaving(study, copies.cuts()), true};
    finding.wouldDisprove
        = "Wrong if backward needs these copies in any case, as in a model that is all bf16";
    return {std::move(finding)};
}

} // namespace highwater

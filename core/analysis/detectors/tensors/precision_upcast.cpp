#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/categories/passing_category.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Smaller blocks are too many and too similar to be paired.
constexpr Bytes kSmallestCopy = kMiB;

bool makesUpcast(std::string_view function)
{
    return function == "float" || contains(function, "_to_copy") || contains(function, "THPVariable_float")
        || function == "upcast";
}

/// True for casts that are no upcasts of activations: moves of weights to the device, and what autograd's
/// engine widens itself.
bool isOtherCast(std::string_view function)
{
    return function == "_apply" || contains(function, "to_device") || contains(function, "to_dtype_layout")
        || contains(function, "torch::autograd::Engine");
}

/// Finds the blocks of the peak made by a cast, and pairs each with an older live block of half its size.
class Upcasts
{
public:
    explicit Upcasts(const DetectorInput& input)
        : m_study(*input.study)
        , m_castStacks(StacksWith::function(m_study.trace, makesUpcast))
        , m_otherCastStacks(StacksWith::function(m_study.trace, isOtherCast))
    {
        const std::vector<AllocationIndex> live = m_study.allocations.liveAt(input.figures.peakEvent);
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i)
            if (m_study.categories.of(i) == Category::Parameter)
                m_possibleSourceSizes.insert(m_study.allocations.recordedBytes(i));
        for (const AllocationIndex i : live) {
            m_possibleSourceSizes.insert(m_study.allocations.recordedBytes(i));
            if (!isCastResult(i))
                m_sources[m_study.allocations.recordedBytes(i)].push_back(i);
        }
        for (const AllocationIndex i : live)
            if (isUpcast(i) && pairWithSource(i))
                m_copies.push_back(i);
    }

    const std::vector<AllocationIndex>& copies() const { return m_copies; }
    /// Returns the paired older blocks, ascending.
    std::vector<AllocationIndex> sources() const
    {
        std::vector<AllocationIndex> ascending = m_pairedSources;
        std::ranges::sort(ascending);
        return ascending;
    }
    /// Returns a cut for all copies of these sizes, whenever they were made.
    std::vector<LifetimeCut> cuts() const
    {
        std::set<Bytes> sizes;
        for (const AllocationIndex i : m_copies)
            sizes.insert(m_study.allocations.recordedBytes(i));
        std::vector<LifetimeCut> all;
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i)
            if (sizes.contains(m_study.allocations.recordedBytes(i)) && isCastResult(i))
                all.push_back({i});
        return all;
    }

private:
    bool isCastResult(AllocationIndex i) const
    {
        return m_study.allocations.stackOrigin(i) != StackOrigin::Free
            && m_castStacks.contains(m_study.allocations.stack(i))
            && !m_otherCastStacks.contains(m_study.allocations.stack(i))
            && mayEndInStep(m_study.categories.of(i));
    }

    /// True if the cast must have widened its input: if a block of twice the size exists, the cast may have
    /// narrowed that block instead. Blocks allocated before the trace are skipped, since neither their order
    /// nor their category is known.
    bool isUpcast(AllocationIndex i) const
    {
        const Bytes size = m_study.allocations.recordedBytes(i);
        return m_study.allocations.birth(i) >= 0 && size >= kSmallestCopy && size % 2 == 0 && isCastResult(i)
            && !m_possibleSourceSizes.contains(size * 2);
    }

    /// Pairs a copy with the youngest older block that has no copy yet, so that the longest-lived blocks are
    /// used last. Returns false if there is none.
    bool pairWithSource(AllocationIndex copy)
    {
        const auto sources = m_sources.find(m_study.allocations.recordedBytes(copy) / 2);
        if (sources == m_sources.end())
            return false;
        auto& blocks = sources->second;
        const auto younger = std::ranges::upper_bound(blocks, copy);
        if (younger == blocks.begin())
            return false;
        m_pairedSources.push_back(*std::prev(younger));
        blocks.erase(std::prev(younger));
        return true;
    }

    const DeviceStudy& m_study;
    StacksWith m_castStacks;
    StacksWith m_otherCastStacks;
    std::set<Bytes> m_possibleSourceSizes; ///< sizes of the blocks at the peak, and of parameters
    std::map<Bytes, std::vector<AllocationIndex>> m_sources; ///< by size, ascending
    std::vector<AllocationIndex> m_copies;
    std::vector<AllocationIndex> m_pairedSources;
};

} // namespace

std::vector<Finding> findPrecisionUpcast(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const Upcasts upcasts(input);
    const std::vector<AllocationIndex>& copies = upcasts.copies();
    const Bytes bytes = bytesOf(study.allocations, copies);
    if (!isWorthReporting(input, bytes))
        return {};
    Finding finding
        = findingAt(input, input.figures.peakEvent, "precision-upcast", Grade::B, FindingKind::Fault);
    finding.bytes = bytes;
    finding.title = fmt::format("{} ({}) of the peak is fp32 copies kept next to their 16-bit originals",
        formatBytes(bytes), formatShare(bytes, input.figures.peakBytes));
    finding.addEvidence(AllocationsTarget{copies}, "A cast makes the copies: {} from {}",
        blocksText(copies.size()), placesOf(study, copies));
    const std::vector<AllocationIndex> sources = upcasts.sources();
    finding.addEvidence(AllocationsTarget{sources},
        "The originals are as many blocks of half the size: {} from {}",
        formatBytes(bytesOf(study.allocations, sources)), placesOf(study, sources));
    finding.evidence.back().isContext = true;
    finding.remedy
        = {"Compute this part in 16 bits or in a fused kernel", peakSaving(study, upcasts.cuts()), true};
    finding.wouldDisprove = "Wrong if the casts keep the width, or the loss needs this precision";
    return {std::move(finding)};
}

} // namespace highwater

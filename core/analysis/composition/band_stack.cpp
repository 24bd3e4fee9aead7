#include "core/analysis/composition/band_stack.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/hash.h"

/// Stacks the bands of modes Category and Site. Input: the category of each allocation, the event from which
/// on it is kept from earlier steps, and the peak. Idea: allocations with the same tier, category and,
/// in mode Site, call site form a part. A part with allocations that are kept at some time gets a second
/// part, to which each of these allocations moves when it becomes kept. Parts are sorted by tier, then by
/// their bytes at the peak.
///
/// Example in mode Category, peak after event 12: parameter w (6 bytes); input s (2), made before the first
/// phase; activation x (3), kept from event 10 on; activation y (2), made in the peak's step; temporary t
/// (1). From the bottom: rank 0 parameters (6), 1 the input of the set-up (2), 2 kept activations (3), 3
/// activations (2), 4 temporary (1). x has rank 3 up to event 9 and rank 2 from event 10 on (`keptRankOf[3]`
/// is 2).
namespace highwater {

namespace {

constexpr std::size_t kMaxParts = 16384;

/// Allocations that are drawn as one band.
struct Part
{
    BandGroup group;
    BandTier tier = BandTier::Step;
    std::uint32_t keptPart
        = 0; ///< index of the part for kept allocations; the own index if none is ever kept
};

class PartFinder
{
public:
    PartFinder(const DeviceStudy& study, const BandGroups& sites, const KeptBlocks& keptBlocks, BandMode mode)
        : m_study(study)
        , m_sites(sites)
        , m_keptBlocks(keptBlocks)
        , m_bySite(mode == BandMode::Site)
    {
        m_indexOf.reserve(study.allocations.size());
        for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
            m_indexOf.push_back(partOf(i));
    }

    void addPeakBytes(const LiveIndex& live, std::int64_t event)
    {
        std::vector<AllocationIndex> atPeak;
        live.liveAt(event, atPeak);
        for (const AllocationIndex i : atPeak)
            m_parts[partAt(i, event)].group.bytesAtPeak += m_study.allocations.bytes(i);
    }

    std::vector<Part>& parts() { return m_parts; }
    const std::vector<std::uint32_t>& indexOf() const { return m_indexOf; }

private:
    std::uint32_t partAt(AllocationIndex i, std::int64_t event) const
    {
        return m_keptBlocks.isKept(i, event) ? m_parts[m_indexOf[i]].keptPart : m_indexOf[i];
    }

    std::uint32_t partOf(AllocationIndex i)
    {
        const Category category = m_study.categories.of(i);
        const bool setUp = m_keptBlocks.isSetUp(m_study.allocations, i);
        const GroupRank site = m_bySite ? m_sites.rank(i) : GroupRank{0};
        const BandTier tier = bandTier(category, setUp);
        const std::uint32_t key
            = (static_cast<std::uint32_t>(site) * 16 + static_cast<std::uint32_t>(tier)) * 16
            + static_cast<std::uint32_t>(category);
        const auto [known, isNew] = m_partOfKey.try_emplace(key, static_cast<std::uint32_t>(m_parts.size()));
        const std::uint32_t index = known->second;
        if (isNew)
            addPart(category, site, tier);
        if (m_keptBlocks.keptSince(i) != KeptBlocks::kNever && m_parts[index].keptPart == index) {
            m_parts[index].keptPart = static_cast<std::uint32_t>(m_parts.size());
            addPart(category, site, BandTier::Kept);
            m_parts.back().group.isKept = true;
        }
        return index;
    }

    void addPart(Category category, GroupRank site, BandTier tier)
    {
        Part part;
        part.group.key = m_bySite ? m_sites.groups[site].key : std::string(toText(category));
        part.group.label = m_bySite ? m_sites.groups[site].label : std::string(titleOf(category));
        part.group.isUnnamed = m_bySite ? m_sites.groups[site].isUnnamed : isUncategorized(category);
        if (m_bySite && part.group.isUnnamed && !isUncategorized(category))
            part.group.label = fmt::format("{}, no stack", titleOf(category));
        part.group.category = category;
        part.tier = tier;
        part.keptPart = static_cast<std::uint32_t>(m_parts.size());
        m_parts.push_back(std::move(part));
    }

    const DeviceStudy& m_study;
    const BandGroups& m_sites;
    const KeptBlocks& m_keptBlocks;
    bool m_bySite;
    NumberMap<std::uint32_t, std::uint32_t> m_partOfKey;
    std::vector<Part> m_parts;
    std::vector<std::uint32_t> m_indexOf; ///< by allocation
};

/// Says what each part is a part of its call site or category, if others have bytes at the peak, too.
void nameParts(std::vector<Part>& parts)
{
    std::map<std::string, std::set<Category>> categories;
    std::set<std::pair<std::string, Category>> kept;
    for (const auto& [group, tier, keptPart] : parts)
        if (group.bytesAtPeak > 0) {
            categories[group.key].insert(*group.category);
            if (group.isKept)
                kept.emplace(group.key, *group.category);
        }
    for (Part& part : parts) {
        BandGroup& group = part.group;
        std::vector<std::string> words;
        // Without a call site, the label has the category.
        if (group.bytesAtPeak > 0 && !group.isUnnamed && categories[group.key].size() > 1)
            words.push_back(fmt::format("of {}", titleOf(*group.category)));
        if (group.isKept)
            words.emplace_back("kept");
        else if (kept.contains({group.key, *group.category}))
            words.emplace_back("not kept");
        group.part = fmt::format("{}", fmt::join(words, " "));
    }
}

/// Returns the rank from the bottom by index of the part.
std::vector<GroupRank> rankParts(const std::vector<Part>& parts)
{
    std::vector<std::uint32_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const Part& left = parts[a];
        const Part& right = parts[b];
        if (left.tier != right.tier)
            return left.tier < right.tier;
        if (left.group.bytesAtPeak != right.group.bytesAtPeak)
            return left.group.bytesAtPeak > right.group.bytesAtPeak;
        return std::pair(left.group.key, left.group.category)
            < std::pair(right.group.key, right.group.category);
    });
    std::vector<GroupRank> ranks(parts.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        ranks[order[rank]] = static_cast<GroupRank>(std::min(rank, kMaxParts - 1));
    return ranks;
}

} // namespace

BandTier bandTier(Category category, bool setUp)
{
    switch (category) {
    case Category::Parameter: return BandTier::Parameters;
    case Category::OptimizerState: return BandTier::OptimizerState;
    case Category::Gradient: return BandTier::Gradients;
    case Category::BeforeRecording: return BandTier::SetUp;
    case Category::Temporary: return setUp ? BandTier::SetUp : BandTier::Temporary;
    default: return setUp ? BandTier::SetUp : BandTier::Step;
    }
}

BandGroups stackBands(const DeviceStudy& study, const LiveIndex& live, const BandGroups& sites,
    std::shared_ptr<const KeptBlocks> keptBlocks, std::int64_t peakEvent, BandMode mode)
{
    PartFinder finder(study, sites, *keptBlocks, mode);
    finder.addPeakBytes(live, peakEvent);
    std::vector<Part>& parts = finder.parts();
    nameParts(parts);
    const std::vector<GroupRank> ranks = rankParts(parts);
    BandGroups stack;
    stack.mode = mode;
    stack.groups.resize(std::min(parts.size(), kMaxParts));
    stack.keptRankOf.resize(stack.groups.size());
    for (std::size_t index = 0; index < parts.size(); ++index) {
        BandGroup& group = stack.groups[ranks[index]];
        const Bytes otherBytes = group.bytesAtPeak;
        group = parts[index].group;
        group.bytesAtPeak += otherBytes;
        stack.keptRankOf[ranks[index]] = ranks[parts[index].keptPart];
    }
    stack.rankOf.reserve(finder.indexOf().size());
    for (const std::uint32_t index : finder.indexOf())
        stack.rankOf.push_back(ranks[index]);
    stack.keptBlocks = keptBlocks->isAny() ? std::move(keptBlocks) : nullptr;
    return stack;
}

} // namespace highwater

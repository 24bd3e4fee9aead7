#include "core/figure/drawing/band_colors.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/analysis/composition/band_spans.h"

namespace highwater {

namespace {
/// Number of moments at which groups are weighed.
constexpr std::int64_t kMoments = 64;
/// Families of modules with fewer bytes than all bytes divided by this are grey.
constexpr std::int64_t kPartsPerSmallFamily = 100;
/// Share of the background in the grey of all unnamed groups but the first.
constexpr double kFaintUnnamedShare = 0.5;

/// Makes the unnamed groups after the first one fainter, so that the first can be told apart.
void tellUnnamedApart(std::vector<GroupColor>& colors, const std::vector<GroupWeight>& groups)
{
    bool isFirst = true;
    for (std::size_t group = 0; group < groups.size(); ++group)
        if (groups[group].isUnnamed && !std::exchange(isFirst, false))
            colors[group].color
                = {mixed(kThemedRestColor.light, FigurePalette::of(false).background, kFaintUnnamedShare),
                    mixed(kThemedRestColor.dark, FigurePalette::of(true).background, kFaintUnnamedShare)};
}
} // namespace

std::vector<GroupWeight> groupWeights(const BandGroups& groups, const LiveIndex& live)
{
    std::vector<GroupWeight> weights;
    for (const BandGroup& group : groups.groups)
        weights.push_back({group.bytesAtPeak, group.isUnnamed});
    std::vector<std::int64_t> events;
    for (std::int64_t moment = 1; moment <= kMoments; ++moment) {
        const std::int64_t event = live.allocations().eventCount() * moment / kMoments - 1;
        if (events.empty() || event != events.back())
            events.push_back(event);
    }
    for (const std::vector<Bytes>& totals : groupBytesAt(live, groups, events))
        for (std::size_t group = 0; group < weights.size(); ++group)
            weights[group].largestBytes = std::max(weights[group].largestBytes, totals[group]);
    return weights;
}

std::vector<GroupColor> groupColors(const std::vector<GroupWeight>& groups)
{
    std::vector<GroupColor> colors(groups.size());
    std::vector<std::size_t> named;
    for (std::size_t group = 0; group < groups.size(); ++group)
        if (!groups[group].isUnnamed)
            named.push_back(group);
    std::ranges::stable_sort(
        named, std::ranges::greater(), [&](std::size_t group) { return groups[group].largestBytes; });
    const std::size_t distinct = std::min(named.size(), kDistinctGroups);
    for (std::size_t i = 0; i < distinct; ++i)
        colors[named[i]].isDistinct = true;
    std::ranges::sort(
        named, {}, [&](std::size_t group) { return std::pair(!colors[group].isDistinct, group); });
    for (std::size_t i = 0; i < named.size(); ++i)
        colors[named[i]].color = themedGroupColor(i);
    tellUnnamedApart(colors, groups);
    return colors;
}

std::vector<GroupColor> moduleColors(
    const std::vector<BandGroup>& groups, const std::vector<GroupWeight>& weights)
{
    struct Family
    {
        Bytes bytes = 0;
        std::size_t hue = kModuleHueCount; ///< grey
        std::size_t members = 0;
    };
    std::map<std::string, Family> families;
    Bytes all = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        all += weights[i].largestBytes;
        if (!weights[i].isUnnamed)
            families[groups[i].family].bytes += weights[i].largestBytes;
    }
    std::vector<Family*> largest;
    for (auto& [name, family] : families)
        if (family.bytes >= all / kPartsPerSmallFamily)
            largest.push_back(&family);
    std::ranges::stable_sort(largest, std::ranges::greater(), &Family::bytes);
    for (std::size_t hue = 0; hue < std::min(largest.size(), kModuleHueCount); ++hue)
        largest[hue]->hue = hue;
    std::vector<GroupColor> colors(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto family = families.find(groups[i].family);
        if (weights[i].isUnnamed || family == families.end())
            continue;
        if (family->second.hue == kModuleHueCount) {
            colors[i].color = kThemedSmallModuleColor;
            continue;
        }
        const std::size_t variant = family->second.members++;
        colors[i] = {siteColor(themedGroupColor(family->second.hue), variant, false), variant == 0};
    }
    tellUnnamedApart(colors, weights);
    return colors;
}

SiteVariants::SiteVariants(
    const BandGroups& sites, const CategoryTable& categories, const LiveIndex& live, std::int64_t event)
    : m_variant(sites.groups.size() * kCategoryCount)
{
    std::vector<Bytes> bytes(m_variant.size());
    std::vector<AllocationIndex> alive;
    live.liveAt(event, alive);
    for (const AllocationIndex i : alive)
        bytes[indexOf(sites.rank(i), categories.of(i))] += live.allocations().bytes(i);
    std::vector<GroupRank> order(sites.groups.size());
    std::iota(order.begin(), order.end(), GroupRank{0});
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        const auto category = static_cast<Category>(c);
        std::ranges::sort(
            order, {}, [&](GroupRank site) { return std::pair(-bytes[indexOf(site, category)], site); });
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            setVariant(order[rank], category, static_cast<std::uint8_t>(rank % kSiteVariantCount));
    }
}

SiteGuesses::SiteGuesses(const BandGroups& sites, const AllocationTable& allocations,
    const CategoryTable& categories, const KeptBlocks& kept)
{
    struct Sum
    {
        Bytes all = 0;
        Bytes guessed = 0;
    };
    std::vector<Sum> sums(sites.groups.size() * kCategoryCount * 2);
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        const std::size_t band = indexOf(sites.rank(i), categories.of(i));
        const Bytes guessed = categories.gradeOf(i) == Grade::C ? allocations.bytes(i) : 0;
        const std::size_t last = kept.keptSince(i) == KeptBlocks::kNever ? band : band + 1;
        for (std::size_t index = band; index <= last; ++index) {
            sums[index].all += allocations.bytes(i);
            sums[index].guessed += guessed;
        }
    }
    for (const Sum& sum : sums)
        m_isGuess.push_back(sum.guessed > sum.all / 2);
}

bool hasCategoryColors(const DeviceStudy& study, const LiveIndex& live)
{
    const std::vector<BandMode> modes
        = usefulBandModes(study.trace, live, study.sites, &study.categories, &study.steps);
    return std::ranges::count(modes, BandMode::Category) > 0;
}

std::vector<ThemedColor> siteBandColors(
    const DeviceStudy& study, const LiveIndex& live, const BandGroups& sites, const BandGroups& stack)
{
    const bool byCategory = hasCategoryColors(study, live);
    const SiteVariants variants
        = byCategory ? SiteVariants(sites, study.categories, live, study.curve.peak().event) : SiteVariants();
    const SiteGuesses guesses = byCategory ? SiteGuesses(sites, study.allocations, study.categories,
                                    stack.keptBlocks ? *stack.keptBlocks : KeptBlocks())
                                           : SiteGuesses();
    const std::vector<GroupColor> siteColors
        = byCategory ? std::vector<GroupColor>() : groupColors(groupWeights(sites, live));
    std::map<std::string, GroupRank> siteOfKey;
    for (std::size_t site = 0; site < sites.groups.size(); ++site)
        siteOfKey.emplace(sites.groups[site].key, static_cast<GroupRank>(site));
    std::vector<ThemedColor> colors;
    for (const BandGroup& band : stack.groups) {
        const GroupRank site = siteOfKey.at(band.key);
        const Category category = band.category.value_or(Category::Unknown);
        if (byCategory)
            colors.push_back(bandColor({category, variants.variantOf(site, category),
                guesses.isGuess(site, category, band.isKept), band.isKept}));
        else
            colors.push_back(band.isKept ? keptColor(siteColors[site].color) : siteColors[site].color);
    }
    return colors;
}

} // namespace highwater

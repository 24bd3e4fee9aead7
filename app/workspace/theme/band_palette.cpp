#include "app/workspace/theme/band_palette.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/analysis/composition/band_spans.h"

namespace highwater::gui {

namespace {

static_assert(BandPalette::kDistinct == kDistinctGroups);

constexpr std::int64_t kMoments = 64;

QRgb opaque(FigureColor color)
{
    return color | 0xff000000u;
}

} // namespace

std::vector<GroupWeight> groupWeights(const BandGroups& groups, const LiveIndex& live)
{
    std::vector<GroupWeight> weights;
    for (const BandGroup& group : groups.groups)
        weights.push_back({group.bytesAtPeak, group.unnamed});
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
        if (!groups[group].unnamed)
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
    return colors;
}

BandPalette::BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live)
    : BandPalette(groups, groupColors(groupWeights(*groups, live)))
{
}

SiteSteps::SiteSteps(
    const BandGroups& sites, const CategoryTable& categories, const LiveIndex& live, std::int64_t event)
    : m_step(sites.groups.size() * kCategoryCount)
{
    std::vector<Bytes> bytes(m_step.size());
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
            set(order[rank], category, static_cast<std::uint8_t>(rank % kSiteSteps));
    }
}

BandPalette::BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors)
    : m_groups(std::move(groups))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 0)
    , m_shades(m_groups->groups.size() * 2)
    , m_darkShades(m_shades.size())
{
    for (std::size_t group = 0; group < m_base.size(); ++group) {
        assign(static_cast<GroupRank>(group), colors[group].color, 1, false);
        m_distinct[group] = colors[group].isDistinct ? 1 : 0;
    }
}

BandPalette::BandPalette(std::shared_ptr<const BandGroups> categoryGroups, const BandGroups& sites,
    const CategoryTable& categories, const SiteSteps& steps)
    : m_groups(std::move(categoryGroups))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 1)
    , m_shades(m_groups->groups.size() * kSiteSteps * 2)
    , m_darkShades(m_shades.size())
    , m_step(categories.size())
{
    for (std::size_t group = 0; group < m_base.size(); ++group) {
        const Category category = categoryFromText(m_groups->groups[group].key).value_or(Category::Unknown);
        assign(static_cast<GroupRank>(group), themedCategoryColor(category), kSiteSteps,
            category == Category::Activation);
    }
    for (AllocationIndex i = 0; i < categories.size(); ++i)
        m_step[i] = steps.of(sites.rank(i), categories.of(i));
}

void BandPalette::assign(GroupRank group, ThemedColor color, std::size_t steps, bool activations)
{
    m_base[group] = color;
    for (std::size_t step = 0; step < steps; ++step) {
        const ThemedColor baseShade = siteColor(color, step, activations);
        const ThemedColor keptShade = heldColor(baseShade);
        const std::size_t index = (group * steps + step) * 2;
        m_shades[index] = opaque(baseShade.light);
        m_shades[index + 1] = opaque(keptShade.light);
        m_darkShades[index] = opaque(baseShade.dark);
        m_darkShades[index + 1] = opaque(keptShade.dark);
    }
}

QRgb BandPalette::faded(QRgb color, bool dark)
{
    return opaque(mixed(color & 0xffffff, FigurePalette::of(dark).background, fadedShare(dark)));
}

} // namespace highwater::gui

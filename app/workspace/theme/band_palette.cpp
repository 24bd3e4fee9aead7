#include "app/workspace/theme/band_palette.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/usage/live_spans.h"

namespace highwater::gui {

namespace {

/// 34 %: enough to see where a band is.
constexpr int kFadedAlpha = 87;

static_assert(BandPalette::kDistinct == kDistinctGroups);

constexpr std::int64_t kMoments = 64;

int mixed(int channel, double level)
{
    const double value = level <= 0 ? channel * (1 + level) : channel + (255 - channel) * level;
    return static_cast<int>(value);
}

QRgb atLevel(QRgb base, double level)
{
    return qRgb(mixed(qRed(base), level), mixed(qGreen(base), level), mixed(qBlue(base), level));
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
    for (const std::vector<Bytes>& totals : groupBytesAt(live, events, groups.rankOf, weights.size()))
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

BandPalette::BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors)
    : m_groups(std::move(groups))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 0)
    , m_shades(m_groups->groups.size() * kShades)
    , m_darkShades(m_shades.size())
{
    for (std::size_t group = 0; group < m_base.size(); ++group) {
        assign(static_cast<GroupRank>(group), colors[group].color);
        m_distinct[group] = colors[group].isDistinct ? 1 : 0;
    }
}

BandPalette::BandPalette(
    std::shared_ptr<const BandGroups> categories, const BandGroups& sites, std::size_t allocations)
    : m_groups(std::move(categories))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 1)
    , m_shades(m_groups->groups.size() * kShades)
    , m_darkShades(m_shades.size())
    , m_siteLevel(allocations)
{
    for (std::size_t group = 0; group < m_base.size(); ++group)
        assign(static_cast<GroupRank>(group),
            themedCategoryColor(categoryFromText(m_groups->groups[group].key).value_or(Category::Unknown)));
    for (AllocationIndex i = 0; i < allocations; ++i)
        m_siteLevel[i] = static_cast<std::uint8_t>(sites.rank(i) % (kShades / kBlockLevels));
}

void BandPalette::assign(GroupRank group, ThemedColor color)
{
    m_base[group] = color;
    for (std::size_t i = 0; i < kShades; ++i) {
        const double level = -0.16 + 0.36 * static_cast<double>(i) / static_cast<double>(kShades - 1);
        m_shades[group * kShades + i] = atLevel(color.light, level);
        m_darkShades[group * kShades + i] = atLevel(color.dark, level);
    }
}

QRgb BandPalette::faded(QRgb color)
{
    return qPremultiply((color & 0x00ffffff) | static_cast<QRgb>(kFadedAlpha) << 24);
}

} // namespace highwater::gui

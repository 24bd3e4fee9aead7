#include "app/workspace/theme/band_palette.h"

#include <utility>

namespace highwater::gui {

namespace {

static_assert(BandPalette::kDistinct == kDistinctGroups);

QRgb opaque(FigureColor color)
{
    return color | 0xff000000u;
}

} // namespace

BandPalette::BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live)
    : BandPalette(groups, groupColors(groupWeights(*groups, live)))
{
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

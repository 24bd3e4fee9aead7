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
    : BandPalette(groups,
        groups->mode == BandMode::Module ? moduleColors(groups->groups, groupWeights(*groups, live))
                                         : groupColors(groupWeights(*groups, live)))
{
}

BandPalette::BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors)
    : m_groups(std::move(groups))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 0)
{
    for (std::vector<QRgb>& shades : m_shades)
        shades.resize(m_base.size() * 2);
    for (std::size_t group = 0; group < m_base.size(); ++group) {
        m_base[group] = colors[group].color;
        assign(group, colors[group].color, keptColor(colors[group].color));
        m_distinct[group] = colors[group].isDistinct ? 1 : 0;
    }
}

BandPalette::BandPalette(std::shared_ptr<const BandGroups> categoryGroups, const BandGroups& sites,
    const DeviceStudy& study, const SiteVariants& variants, const SiteGuesses& guesses)
    : m_groups(std::move(categoryGroups))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 1)
    , m_variant(study.categories.size())
{
    const auto variantOf = [](std::size_t variant, bool isFreshGuess, bool isKeptGuess) {
        return variant + kSiteVariantCount * ((isFreshGuess ? 1 : 0) + (isKeptGuess ? 2 : 0));
    };
    for (std::vector<QRgb>& shades : m_shades)
        shades.resize(m_base.size() * kVariantCount * 2);
    for (std::size_t group = 0; group < m_base.size(); ++group) {
        const Category category = categoryFromText(m_groups->groups[group].key).value_or(Category::Unknown);
        m_base[group] = categoryColor(study.guessed, category);
        for (std::size_t variant = 0; variant < kSiteVariantCount; ++variant)
            for (const bool isFreshGuess : {false, true})
                for (const bool isKeptGuess : {false, true})
                    assign(group * kVariantCount + variantOf(variant, isFreshGuess, isKeptGuess),
                        bandColor({category, variant, isFreshGuess, false}),
                        bandColor({category, variant, isKeptGuess, true}));
    }
    for (AllocationIndex i = 0; i < study.categories.size(); ++i) {
        const Category category = study.categories.of(i);
        const GroupRank site = sites.rank(i);
        m_variant[i] = static_cast<std::uint8_t>(variantOf(variants.variantOf(site, category),
            guesses.isGuess(site, category, false), guesses.isGuess(site, category, true)));
    }
}

void BandPalette::assign(std::size_t place, ThemedColor fresh, ThemedColor kept)
{
    for (const bool dark : {false, true})
        for (const bool contrast : {false, true}) {
            const Ground ground{dark, contrast};
            std::vector<QRgb>& shades = m_shades[themeIndex(ground)];
            shades[place * 2] = opaque(colorOn(fresh, ground));
            shades[place * 2 + 1] = opaque(colorOn(kept, ground));
        }
}

QRgb BandPalette::faded(QRgb color, bool dark)
{
    return opaque(mixed(color & 0xffffff, FigurePalette::of(dark).background, fadedShare(dark)));
}

} // namespace highwater::gui

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <QColor>

#include "core/analysis/categories/category_table.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater::gui {

/// Colours of groups of bands on a light and a dark background. Categories have colours of their own. Of
/// other groups, the largest of the run get distinct hues that are safe for colour-blind users; the others
/// share a cycle of paler ones; unnamed groups are grey. Blocks kept from earlier steps are darker. The
/// high-contrast theme has stronger colours.
class BandPalette
{
public:
    /// Number of groups with a colour of their own.
    static constexpr int kDistinct = 10;

    /// Chooses the colours by `groupWeights`, which determines the cost.
    BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live);
    /// Uses these colours, by rank.
    BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors);
    /// Chooses colours for the categories of a device. The call sites of a category differ in variants, and
    /// guesses are nearly grey. O(allocations).
    BandPalette(std::shared_ptr<const BandGroups> categoryGroups, const BandGroups& sites,
        const DeviceStudy& study, const SiteVariants& variants, const SiteGuesses& guesses);

    const std::shared_ptr<const BandGroups>& groups() const { return m_groups; }
    QColor color(GroupRank group, Ground ground = {}) const
    {
        return QColor::fromRgb(colorOn(m_base[group], ground));
    }
    /// Returns the colour of a group on light and on dark ground.
    ThemedColor themedColor(GroupRank group) const { return m_base[group]; }
    bool isDistinct(GroupRank group) const { return m_distinct[group]; }
    /// Returns the opaque colour of the band of an allocation; `isKept` is true if the block was kept from an
    /// earlier step.
    QRgb shade(AllocationIndex allocation, Ground ground = {}, bool isKept = false) const
    {
        const std::size_t place = m_variant.empty()
            ? m_groups->rank(allocation)
            : m_groups->rank(allocation) * kVariantCount + m_variant[allocation];
        return m_shades[themeIndex(ground)][place * 2 + (isKept ? 1 : 0)];
    }
    /// Returns the colour of the band of an allocation on light and on dark ground.
    ThemedColor themedShade(AllocationIndex allocation, bool isKept = false) const
    {
        return {
            shade(allocation, {}, isKept) & 0xffffff, shade(allocation, {.dark = true}, isKept) & 0xffffff};
    }
    /// Returns the colour mixed with the surface, so that highlighted bands stand out.
    static QRgb faded(QRgb color, bool dark);

private:
    /// Variants of a category's colour: one for each variant of `siteColor`, with and without a guess for the
    /// band and for its kept part.
    static constexpr std::size_t kVariantCount = kSiteVariantCount * 4;
    static constexpr std::size_t kThemeCount = 4;

    static std::size_t themeIndex(Ground ground) { return (ground.dark ? 1 : 0) + (ground.contrast ? 2 : 0); }
    /// Sets the colours of a place in the shades: of memory that is not kept, and of memory that is.
    void assign(std::size_t place, ThemedColor fresh, ThemedColor kept);

    std::shared_ptr<const BandGroups> m_groups;
    std::vector<ThemedColor> m_base;
    std::vector<char> m_distinct;
    /// The own and the kept colour by theme, then by group and variant (kVariantCount or one).
    std::array<std::vector<QRgb>, kThemeCount> m_shades;
    std::vector<std::uint8_t> m_variant; ///< by allocation; empty if all have the colour of their group
};

} // namespace highwater::gui

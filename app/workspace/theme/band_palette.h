#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QColor>

#include "core/analysis/categories/category_table.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater::gui {

/// Colours of groups of bands on a light and a dark background. The largest groups of the run get distinct
/// hues that are safe for colour-blind users; the others share a cycle of paler ones; unnamed groups are
/// grey. Blocks kept from earlier steps are darker.
class BandPalette
{
public:
    /// Number of groups with a colour of their own.
    static constexpr int kDistinct = 10;

    /// Chooses the colours by `groupWeights`, which determines the cost.
    BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live);
    /// Uses these colours, by rank.
    BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors);
    /// For categories, which have the same colour everywhere; the call sites of a category differ in steps.
    /// O(allocations).
    BandPalette(std::shared_ptr<const BandGroups> categoryGroups, const BandGroups& sites,
        const CategoryTable& categories, const SiteSteps& steps);

    const std::shared_ptr<const BandGroups>& groups() const { return m_groups; }
    QColor color(GroupRank group, bool dark = false) const
    {
        return QColor::fromRgb(dark ? m_base[group].dark : m_base[group].light);
    }
    bool isDistinct(GroupRank group) const { return m_distinct[group]; }
    /// Returns the opaque colour of the band of an allocation; `held` is true if the block was kept from an
    /// earlier step.
    QRgb shade(AllocationIndex allocation, bool dark = false, bool held = false) const
    {
        const std::vector<QRgb>& shades = dark ? m_darkShades : m_shades;
        const std::size_t place = m_step.empty()
            ? m_groups->rank(allocation)
            : m_groups->rank(allocation) * kSiteSteps + m_step[allocation];
        return shades[place * 2 + (held ? 1 : 0)];
    }
    /// Returns the colour mixed with the surface, so that highlighted bands stand out.
    static QRgb faded(QRgb color, bool dark);

private:
    void assign(GroupRank group, ThemedColor color, std::size_t steps, bool activations);

    std::shared_ptr<const BandGroups> m_groups;
    std::vector<ThemedColor> m_base;
    std::vector<char> m_distinct;
    std::vector<QRgb> m_shades; ///< by group and step (kSiteSteps or one): own colour, kept colour
    std::vector<QRgb> m_darkShades; ///< as m_shades, on a dark background
    std::vector<std::uint8_t> m_step; ///< by allocation; empty if all have the colour of their group
};

} // namespace highwater::gui

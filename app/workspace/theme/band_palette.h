#pragma once

#include <memory>
#include <vector>

#include <QColor>

#include "core/analysis/composition/band_groups.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui {

/// What a group's colour goes by.
struct GroupWeight
{
    Bytes largestBytes = 0; ///< that it holds at any of the moments looked at
    bool unnamed = false;
};
/// The most that each group holds at its peak and at a few moments spread over the run, by rank: a group that
/// is large anywhere gets a distinct colour. As `groupBytesAt`.
std::vector<GroupWeight> groupWeights(const BandGroups& groups, const LiveIndex& live);

struct GroupColor
{
    ThemedColor color = kThemedRestColor;
    bool isDistinct = false; ///< no other group has it
};
/// Of groups in their stacking order: the largest have distinct colours, and those that lie on each other
/// have colours that follow each other.
std::vector<GroupColor> groupColors(const std::vector<GroupWeight>& groups);

/// Colours of groups of bands on light and dark background. The largest groups of the run get distinct hues
/// that are safe for colour-blind users; the others share a cycle of paler ones; unnamed groups are grey.
/// Allocations of one group differ in lightness, so that neighbours are distinguishable.
class BandPalette
{
public:
    /// How many groups have a colour of their own.
    static constexpr int kDistinct = 10;

    /// O(allocations).
    BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live);
    /// In these colours, by rank.
    BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors);
    /// Of categories, each with the colour that it has everywhere. Allocations of one vary in lightness by
    /// call site, and less by block. O(allocations).
    BandPalette(
        std::shared_ptr<const BandGroups> categories, const BandGroups& sites, std::size_t allocations);

    const std::shared_ptr<const BandGroups>& groups() const { return m_groups; }
    QColor color(GroupRank group, bool dark = false) const
    {
        return QColor::fromRgb(dark ? m_base[group].dark : m_base[group].light);
    }
    bool isDistinct(GroupRank group) const { return m_distinct[group]; }
    /// Colour of its band, opaque.
    QRgb shade(AllocationIndex allocation, bool dark = false) const
    {
        const std::vector<QRgb>& shades = dark ? m_darkShades : m_shades;
        return shades[m_groups->rank(allocation) * kShades + levelOf(allocation)];
    }
    /// The colour faded for contrast with highlighted ones: premultiplied, for any background.
    static QRgb faded(QRgb color);

private:
    static constexpr std::size_t kShades = 16;
    static constexpr std::size_t kBlockLevels = 4; ///< of each of the call site's, where `m_sites` tells them

    /// A step of three through all levels: allocations that follow each other are never alike.
    std::size_t levelOf(AllocationIndex allocation) const
    {
        const std::size_t step = static_cast<std::size_t>(allocation) * 3;
        return m_siteLevel.empty() ? 2 * (step % (kShades / 2))
                                   : m_siteLevel[allocation] * kBlockLevels + step % kBlockLevels;
    }
    void assign(GroupRank group, ThemedColor color);

    std::shared_ptr<const BandGroups> m_groups;
    std::vector<ThemedColor> m_base;
    std::vector<char> m_distinct;
    std::vector<QRgb> m_shades; ///< kShades for each group, from dark to light
    std::vector<QRgb> m_darkShades; ///< the same on dark background
    std::vector<std::uint8_t> m_siteLevel; ///< by allocation; empty: lightness does not go by call site
};

} // namespace highwater::gui

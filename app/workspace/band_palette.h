#pragma once

#include <memory>
#include <vector>

#include <QColor>

#include "core/analysis/band_groups.h"

namespace highwater::gui {

/// Colours of groups of bands. The largest of the run get distinct hues that colour-blind eyes can
/// tell apart (Paul Tol's "bright", "vibrant" and "muted" sets); the others share a cycle of paler ones; what
/// has no name is grey. Allocations of one group differ in lightness, so that neighbours are told apart.
class BandPalette
{
public:
    /// How many groups have a colour of their own.
    static constexpr int kDistinct = 10;

    /// O(allocations).
    BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live);

    const std::shared_ptr<const BandGroups>& groups() const { return m_groups; }
    QColor color(GroupRank group) const { return m_base[group]; }
    bool isDistinct(GroupRank group) const { return m_distinct[group]; }
    /// Colour of its band, opaque.
    QRgb shade(AllocationIndex allocation) const
    {
        // A step of three through eight levels: allocations that follow each other are never alike.
        const std::size_t level = (static_cast<std::size_t>(allocation) * 3) % kShades;
        return m_shades[m_groups->rank(allocation) * kShades + level];
    }
    /// What is left of a colour that others stand out against: premultiplied, for any surface.
    static QRgb faded(QRgb color);

private:
    static constexpr std::size_t kShades = 8;

    void assign(GroupRank group, const QColor& color);

    std::shared_ptr<const BandGroups> m_groups;
    std::vector<QColor> m_base;
    std::vector<char> m_distinct;
    std::vector<QRgb> m_shades; ///< kShades for each group
};

} // namespace highwater::gui

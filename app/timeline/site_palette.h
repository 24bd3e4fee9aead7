#pragma once

#include <vector>

#include <QColor>

#include "app/workspace/device_analysis.h"

namespace highwater::gui {

/// Colours of call sites. The largest at the device's peak get distinct hues that colour-blind eyes can tell
/// apart (Paul Tol's "bright", "vibrant" and "muted" sets); the others share a cycle of paler ones; what has
/// no stack is grey. Allocations of one site differ in lightness, so that neighbours are told apart.
class SitePalette
{
public:
    /// How many sites have a colour of their own.
    static constexpr int kDistinct = 10;

    explicit SitePalette(const DeviceAnalysis& analysis);

    QColor color(SiteId site) const { return m_base[site.index()]; }
    /// Colour of its band, opaque.
    QRgb shade(AllocationIndex allocation) const;
    bool isDistinct(SiteId site) const { return m_distinct[site.index()]; }

private:
    static constexpr std::size_t kShades = 8;

    void assign(SiteId site, const QColor& color);

    const CallSites& m_sites;
    std::vector<QColor> m_base;
    std::vector<char> m_distinct;
    std::vector<QRgb> m_shades; ///< kShades for each site
};

} // namespace highwater::gui

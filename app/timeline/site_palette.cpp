#include "app/timeline/site_palette.h"

#include <array>

namespace highwater::gui {

namespace {

constexpr std::array<QRgb, SitePalette::kDistinct> kBright = {0xff4477aa, 0xff66ccee, 0xffee6677, 0xff228833,
    0xffccbb44, 0xffaa3377, 0xffee7733, 0xff44aa99, 0xff5b4fa8, 0xff999933};

/// Paler relatives of the same hues.
constexpr std::array<QRgb, 8> kMuted
    = {0xff9db4c8, 0xffc5a3a9, 0xff9dba9f, 0xffc9c19a, 0xffb59ab0, 0xffa3c6cc, 0xffcbae98, 0xffa9a9c4};

constexpr QRgb kNoStack = 0xff888888;

int mixed(int channel, double level)
{
    const double value = level <= 0 ? channel * (1 + level) : channel + (255 - channel) * level;
    return static_cast<int>(value);
}

QRgb atLevel(const QColor& base, double level)
{
    return qRgb(mixed(base.red(), level), mixed(base.green(), level), mixed(base.blue(), level));
}

} // namespace

SitePalette::SitePalette(const DeviceAnalysis& analysis)
    : m_sites(analysis.sites)
    , m_base(analysis.sites.size())
    , m_distinct(analysis.sites.size(), 0)
    , m_shades(analysis.sites.size() * kShades)
{
    std::size_t rank = 0;
    std::size_t paler = 0;
    for (const SiteTotal& total : analysis.sitesAtPeak) {
        if (m_sites.site(total.site).kind == SiteKind::NoStack)
            continue;
        if (rank == kBright.size())
            break;
        m_distinct[total.site.index()] = 1;
        assign(total.site, QColor::fromRgb(kBright[rank++]));
    }
    for (std::uint32_t i = 0; i < m_sites.size(); ++i) {
        const SiteId site(i);
        if (m_sites.site(site).kind == SiteKind::NoStack)
            assign(site, QColor::fromRgb(kNoStack));
        else if (!isDistinct(site))
            assign(site, QColor::fromRgb(kMuted[paler++ % kMuted.size()]));
    }
}

void SitePalette::assign(SiteId site, const QColor& color)
{
    m_base[site.index()] = color;
    for (std::size_t i = 0; i < kShades; ++i) {
        const double level = -0.16 + 0.36 * static_cast<double>(i) / static_cast<double>(kShades - 1);
        m_shades[site.index() * kShades + i] = atLevel(color, level);
    }
}

QRgb SitePalette::shade(AllocationIndex allocation) const
{
    // A step of three through eight levels: allocations that follow each other are never alike.
    const std::size_t level = (static_cast<std::size_t>(allocation) * 3) % kShades;
    return m_shades[m_sites.of(allocation).index() * kShades + level];
}

} // namespace highwater::gui

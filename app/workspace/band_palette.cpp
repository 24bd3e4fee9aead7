#include "app/workspace/band_palette.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "app/workspace/category_colors.h"

namespace highwater::gui {

namespace {

constexpr std::array<QRgb, BandPalette::kDistinct> kBright = {0xff4477aa, 0xff66ccee, 0xffee6677, 0xff228833,
    0xffccbb44, 0xffaa3377, 0xffee7733, 0xff44aa99, 0xff5b4fa8, 0xff999933};

/// Paler relatives of the same hues.
constexpr std::array<QRgb, 8> kMuted
    = {0xff9db4c8, 0xffc5a3a9, 0xff9dba9f, 0xffc9c19a, 0xffb59ab0, 0xffa3c6cc, 0xffcbae98, 0xffa9a9c4};

constexpr QRgb kUnnamed = 0xff888888;

/// 18 %: enough to tell where a band is.
constexpr int kFadedAlpha = 46;

constexpr std::int64_t kMoments = 64;

int mixed(int channel, double level)
{
    const double value = level <= 0 ? channel * (1 + level) : channel + (255 - channel) * level;
    return static_cast<int>(value);
}

QRgb atLevel(const QColor& base, double level)
{
    return qRgb(mixed(base.red(), level), mixed(base.green(), level), mixed(base.blue(), level));
}

/// The most that each group holds at its peak and at a few moments spread over the run: what fills the
/// picture is to be told apart wherever it does.
std::vector<Bytes> largestTotals(const BandGroups& groups, const LiveIndex& live)
{
    const AllocationTable& allocations = live.allocations();
    std::vector<Bytes> largest;
    for (const BandGroup& group : groups.groups)
        largest.push_back(group.bytesAtPeak);
    std::vector<AllocationIndex> alive;
    std::vector<Bytes> totals;
    std::int64_t last = -1;
    live.liveAt(last, alive);
    for (std::int64_t moment = 1; moment <= kMoments; ++moment) {
        const std::int64_t event = allocations.eventCount() * moment / kMoments - 1;
        live.advance(last, event, alive);
        last = event;
        totals.assign(largest.size(), 0);
        for (const AllocationIndex i : alive)
            totals[groups.rank(i)] += allocations.bytes(i);
        for (std::size_t group = 0; group < largest.size(); ++group)
            largest[group] = std::max(largest[group], totals[group]);
    }
    return largest;
}

} // namespace

BandPalette::BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live)
    : m_groups(std::move(groups))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 0)
    , m_shades(m_groups->groups.size() * kShades)
{
    const std::vector<Bytes> largest = largestTotals(*m_groups, live);
    std::vector<GroupRank> named;
    for (std::size_t i = 0; i < m_base.size(); ++i) {
        const auto group = static_cast<GroupRank>(i);
        if (m_groups->groups[group].unnamed)
            assign(group, QColor::fromRgb(kUnnamed));
        else
            named.push_back(group);
    }
    std::ranges::stable_sort(named, std::ranges::greater(), [&](GroupRank group) { return largest[group]; });
    const std::size_t distinct = std::min(named.size(), kBright.size());
    for (std::size_t i = 0; i < distinct; ++i)
        m_distinct[named[i]] = 1;
    // By rank: groups that lie on each other at the peak have colours that follow each other.
    std::ranges::sort(named, {}, [&](GroupRank group) { return std::pair(!isDistinct(group), group); });
    for (std::size_t i = 0; i < named.size(); ++i)
        assign(named[i], QColor::fromRgb(i < distinct ? kBright[i] : kMuted[(i - distinct) % kMuted.size()]));
}

BandPalette::BandPalette(
    std::shared_ptr<const BandGroups> categories, const BandGroups& sites, std::size_t allocations)
    : m_groups(std::move(categories))
    , m_base(m_groups->groups.size())
    , m_distinct(m_groups->groups.size(), 1)
    , m_shades(m_groups->groups.size() * kShades)
    , m_siteLevel(allocations)
{
    for (std::size_t group = 0; group < m_base.size(); ++group)
        assign(static_cast<GroupRank>(group),
            categoryColor(categoryFromText(m_groups->groups[group].key).value_or(Category::Unknown)));
    for (AllocationIndex i = 0; i < allocations; ++i)
        m_siteLevel[i] = static_cast<std::uint8_t>(sites.rank(i) % (kShades / kBlockLevels));
}

void BandPalette::assign(GroupRank group, const QColor& color)
{
    m_base[group] = color;
    for (std::size_t i = 0; i < kShades; ++i) {
        const double level = -0.16 + 0.36 * static_cast<double>(i) / static_cast<double>(kShades - 1);
        m_shades[group * kShades + i] = atLevel(color, level);
    }
}

QRgb BandPalette::faded(QRgb color)
{
    return qPremultiply((color & 0x00ffffff) | static_cast<QRgb>(kFadedAlpha) << 24);
}

} // namespace highwater::gui

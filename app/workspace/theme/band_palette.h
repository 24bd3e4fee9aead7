#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QColor>

#include "core/analysis/categories/category_table.h"
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

/// By category and call site, the step that keeps it apart from the others of its category
/// (`highwater::siteColor`): its rank in the category at one moment, repeated from the eleventh on.
class SiteSteps
{
public:
    SiteSteps() = default;
    /// `sites`: groups of mode Site. O(live + sites).
    SiteSteps(
        const BandGroups& sites, const CategoryTable& categories, const LiveIndex& live, std::int64_t event);

    std::uint8_t of(GroupRank site, Category category) const { return m_step[indexOf(site, category)]; }
    /// Another run's step for the same call site.
    void set(GroupRank site, Category category, std::uint8_t step) { m_step[indexOf(site, category)] = step; }

private:
    static std::size_t indexOf(GroupRank site, Category category)
    {
        return site * kCategoryCount + static_cast<std::size_t>(category);
    }

    std::vector<std::uint8_t> m_step;
};

/// Colours of groups of bands on light and dark background. The largest groups of the run get distinct hues
/// that are safe for colour-blind users; the others share a cycle of paler ones; unnamed groups are grey.
/// What is held from earlier steps is darker.
class BandPalette
{
public:
    /// How many groups have a colour of their own.
    static constexpr int kDistinct = 10;

    /// O(allocations).
    BandPalette(std::shared_ptr<const BandGroups> groups, const LiveIndex& live);
    /// In these colours, by rank.
    BandPalette(std::shared_ptr<const BandGroups> groups, const std::vector<GroupColor>& colors);
    /// Of categories, each with the colour that it has everywhere; the call sites of one differ in steps.
    /// O(allocations).
    BandPalette(std::shared_ptr<const BandGroups> ofCategories, const BandGroups& sites,
        const CategoryTable& categories, const SiteSteps& steps);

    const std::shared_ptr<const BandGroups>& groups() const { return m_groups; }
    QColor color(GroupRank group, bool dark = false) const
    {
        return QColor::fromRgb(dark ? m_base[group].dark : m_base[group].light);
    }
    bool isDistinct(GroupRank group) const { return m_distinct[group]; }
    /// Colour of its band, opaque.
    QRgb shade(AllocationIndex allocation, bool dark = false, bool held = false) const
    {
        const std::vector<QRgb>& shades = dark ? m_darkShades : m_shades;
        const std::size_t place = m_step.empty()
            ? m_groups->rank(allocation)
            : m_groups->rank(allocation) * kSiteSteps + m_step[allocation];
        return shades[place * 2 + (held ? 1 : 0)];
    }
    /// The colour faded for contrast with highlighted ones: mixed with the surface.
    static QRgb faded(QRgb color, bool dark);

private:
    void assign(GroupRank group, ThemedColor color, std::size_t steps, bool activations);

    std::shared_ptr<const BandGroups> m_groups;
    std::vector<ThemedColor> m_base;
    std::vector<char> m_distinct;
    std::vector<QRgb> m_shades; ///< of each group its steps, kSiteSteps or one, each its own and held
    std::vector<QRgb> m_darkShades; ///< the same on dark background
    std::vector<std::uint8_t> m_step; ///< by allocation; empty: all are in their group's colour
};

} // namespace highwater::gui

#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_palette.h"

/// Decides the colours of bands, for the window and for figures.
namespace highwater {

/// The properties that determine a group's colour.
struct GroupWeight
{
    Bytes largestBytes = 0; ///< Maximum over the sampled moments
    bool isUnnamed = false; ///< As `BandGroup::isUnnamed`
};

/// Returns the largest size of each group at the peak and at 64 moments spread over the run, by rank, so that
/// a group that is large at any of them gets a distinct colour. Complexity as for `groupBytesAt`.
std::vector<GroupWeight> groupWeights(const BandGroups& groups, const LiveIndex& live);

/// The colour of a group of bands.
struct GroupColor
{
    ThemedColor color = kThemedRestColor;
    bool isDistinct = false; ///< No other distinct group has this colour
};

/// Chooses colours for groups, given in stacking order: the `kDistinctGroups` largest named ones have
/// distinct colours, the others share muted ones, and both are assigned in stacking order. Unnamed groups are
/// grey, all but the first fainter.
std::vector<GroupColor> groupColors(const std::vector<GroupWeight>& groups);

/// Number of hues of modules; more could not be told apart.
inline constexpr std::size_t kModuleHueCount = 8;
/// Chooses colours for modules: each of the largest families (`BandGroup::family`) has a hue, and its members
/// are shades of it. Families that are small or beyond the eighth have the grey
/// `kThemedSmallModuleColor`, unnamed groups others.
std::vector<GroupColor> moduleColors(
    const std::vector<BandGroup>& groups, const std::vector<GroupWeight>& weights);

/// Variants of colours that distinguish the call sites of one category (`siteColor`), by call site and
/// category: the site's rank by bytes in the category at one moment, modulo `kSiteVariantCount`. A
/// default-constructed object has no call sites, and may not be asked for one.
class SiteVariants
{
public:
    SiteVariants() = default;
    /// `sites` are groups of mode Site. O(live + categories × sites × log sites).
    SiteVariants(
        const BandGroups& sites, const CategoryTable& categories, const LiveIndex& live, std::int64_t event);

    std::uint8_t variantOf(GroupRank site, Category category) const
    {
        return m_variant[indexOf(site, category)];
    }
    /// Replaces the variant, so that the same call site has the same one in another run.
    void setVariant(GroupRank site, Category category, std::uint8_t variant)
    {
        m_variant[indexOf(site, category)] = variant;
    }

private:
    static std::size_t indexOf(GroupRank site, Category category)
    {
        return site * kCategoryCount + static_cast<std::size_t>(category);
    }

    std::vector<std::uint8_t> m_variant;
};

/// The call sites of a device whose bands are guesses (grade C), by category. A default-constructed object
/// has no call sites, and may not be asked for one.
class SiteGuesses
{
public:
    SiteGuesses() = default;
    /// `sites` are groups of mode Site. O(allocations + sites).
    SiteGuesses(const BandGroups& sites, const AllocationTable& allocations, const CategoryTable& categories,
        const KeptBlocks& kept);

    /// True if most bytes of the call site in the category are guesses. With `isKept`, only allocations that
    /// are kept from earlier steps at some time are counted; without it, all are.
    bool isGuess(GroupRank site, Category category, bool isKept) const
    {
        return m_isGuess[indexOf(site, category) + (isKept ? 1 : 0)];
    }

private:
    static std::size_t indexOf(GroupRank site, Category category)
    {
        return (site * kCategoryCount + static_cast<std::size_t>(category)) * 2;
    }

    std::vector<bool> m_isGuess; ///< By call site, category, and kept or not
};

/// Returns the colour of a category of a device: that of the category, or half as saturated if it is a guess.
inline ThemedColor categoryColor(const GuessedCategories& guessed, Category category)
{
    return bandColor({category, 0, guessed[static_cast<std::size_t>(category)], false});
}

/// True if bands have the colours of their categories: the device has at least two known categories.
bool hasCategoryColors(const DeviceStudy& study, const LiveIndex& live);

/// Returns the colour of each group of `stackBands` by call site, by rank, as the window shows them first:
/// variants of the category's colour, or a colour for each call site if there are no categories. Memory kept
/// from earlier steps is darker, guesses are half as saturated. `sites` are the groups of mode Site at the
/// peak.
std::vector<ThemedColor> siteBandColors(
    const DeviceStudy& study, const LiveIndex& live, const BandGroups& sites, const BandGroups& stack);

} // namespace highwater

#include "app/workspace/compare/compared_palettes.h"

#include <algorithm>
#include <map>

#include "core/analysis/diff/group_identity.h"

namespace highwater::gui {

namespace {

/// True if the run's allocations have more than one category.
bool isByCategory(const DeviceAnalysis& analysis)
{
    return analysis.allocationPalette() == analysis.categoryPalette;
}

/// Returns the identity of each call site, by rank, so that sites can be matched across the runs.
std::vector<GroupIdentity> siteIdentities(const DeviceAnalysis& analysis, const StackClasses::Side& classes)
{
    const DiffInput input{*analysis.trace, analysis.allocations, analysis.sites, nullptr, {}};
    const BandGroups& sites = *analysis.siteGroups;
    std::vector<GroupIdentity> identities(sites.groups.size());
    std::vector<bool> isKnown(sites.groups.size(), false);
    for (AllocationIndex i = 0; i < analysis.allocations.size(); ++i) {
        const GroupRank site = sites.rank(i);
        if (isKnown[site])
            continue;
        isKnown[site] = true;
        identities[site] = identityOf(input, classes, i, GroupKey::Site, LineRule::Matched);
    }
    return identities;
}

/// The groups of both runs, those of the earlier run first. Maps each group to the index of its weight, which
/// is also the index of its colour.
struct SharedGroups
{
    std::vector<GroupWeight> weights;
    std::map<GroupIdentity, std::size_t> indexOfGroup;

    std::vector<std::size_t> add(
        const std::vector<GroupIdentity>& identities, const std::vector<GroupWeight>& weightsOfRun)
    {
        std::vector<std::size_t> indices;
        for (std::size_t group = 0; group < identities.size(); ++group) {
            const auto [entry, isNew] = indexOfGroup.try_emplace(identities[group], weights.size());
            if (isNew)
                weights.push_back(weightsOfRun[group]);
            Bytes& largest = weights[entry->second].largestBytes;
            largest = std::max(largest, weightsOfRun[group].largestBytes);
            indices.push_back(entry->second);
        }
        return indices;
    }
};

/// Gives each call site of a run the shared colour at its index.
std::shared_ptr<const BandPalette> paletteOf(const DeviceAnalysis& analysis,
    const std::vector<std::size_t>& indices, const std::vector<GroupColor>& sharedColors)
{
    std::vector<GroupColor> colors;
    for (const std::size_t index : indices)
        colors.push_back(sharedColors[index]);
    return std::make_shared<const BandPalette>(analysis.siteGroups, colors);
}

/// Returns the variants of colours of the later run. Call sites that both runs have get their variant in the
/// earlier run.
SiteVariants sharedVariants(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const StackClasses& classes)
{
    std::map<GroupIdentity, GroupRank> earlierSites;
    const std::vector<GroupIdentity> beforeSites = siteIdentities(before, classes.before);
    for (std::size_t site = 0; site < beforeSites.size(); ++site)
        earlierSites.try_emplace(beforeSites[site], static_cast<GroupRank>(site));
    SiteVariants variants = after.siteVariants;
    const std::vector<GroupIdentity> afterSites = siteIdentities(after, classes.after);
    for (std::size_t site = 0; site < afterSites.size(); ++site)
        if (const auto earlier = earlierSites.find(afterSites[site]); earlier != earlierSites.end())
            for (std::size_t category = 0; category < kCategoryCount; ++category)
                variants.setVariant(static_cast<GroupRank>(site), static_cast<Category>(category),
                    before.siteVariants.variantOf(earlier->second, static_cast<Category>(category)));
    return variants;
}

} // namespace

ComparedPalettes comparedPalettes(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const StackClasses& classes)
{
    if (isByCategory(before) && isByCategory(after))
        return {before.categoryPalette,
            std::make_shared<const BandPalette>(after.categoryGroups, *after.siteGroups, after.study,
                sharedVariants(before, after, classes), after.siteGuesses)};
    SharedGroups groups;
    const auto beforeIndices
        = groups.add(siteIdentities(before, classes.before), groupWeights(*before.siteGroups, before.live));
    const auto afterIndices
        = groups.add(siteIdentities(after, classes.after), groupWeights(*after.siteGroups, after.live));
    const std::vector<GroupColor> colors = groupColors(groups.weights);
    return {paletteOf(before, beforeIndices, colors), paletteOf(after, afterIndices, colors)};
}

} // namespace highwater::gui

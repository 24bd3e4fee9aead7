#include "app/workspace/document/device_analysis.h"

#include <algorithm>

#include "core/analysis/composition/band_stack.h"

namespace highwater::gui {

namespace {

/// Groups allocations by category. Names of guesses say so, wherever the groups are shown.
BandGroups groupsOfCategories(const DeviceStudy& study, const LiveIndex& live)
{
    BandGroups groups = groupBands(
        study.trace, live, study.sites, study.figures.peakEvent, BandMode::Category, &study.categories);
    for (BandGroup& group : groups.groups)
        group.label = titleOf(*group.category, study.guessed[static_cast<std::size_t>(*group.category)]);
    return groups;
}

} // namespace

DeviceAnalysis::DeviceAnalysis(std::shared_ptr<const Trace> recording, DeviceIndex index)
    : DeviceAnalysis(recording, index, AnalysisChoice{recording->devices[index].quantity, {}, {}})
{
}

DeviceAnalysis::DeviceAnalysis(
    std::shared_ptr<const Trace> recording, DeviceIndex index, AnalysisChoice options)
    : trace(std::move(recording))
    , device(index)
    , choice(std::move(options))
    , study(*trace, index, choice.quantity, choice.rules, choice.steps)
    , allocations(study.allocations)
    , curve(study.curve)
    , figures(study.figures)
    , capacity(knownCapacity(info(), figures.ooms, curve))
    , sites(study.sites)
    , live(allocations)
    , byEvent(*trace, index, AxisKind::Event)
    , byTime(*trace, index, AxisKind::Time)
    , phases(study.phases)
    , steps(study.steps)
    , byStep(scaleOfSteps(steps))
    , categories(study.categories)
    , numbers(knownNumbers(study))
    , keptBlocks(std::make_shared<const KeptBlocks>(allocations, phases, steps, categories))
    , atStepPeaks(stepPeaks(allocations, categories, *keptBlocks, steps.steps))
    , bandModes(usefulBandModes(*trace, live, sites, &categories, &steps))
    , siteGroups(std::make_shared<const BandGroups>(
          groupBands(*trace, live, sites, figures.peakEvent, BandMode::Site)))
    , siteStack(std::make_shared<const BandGroups>(
          stackBands(study, live, *siteGroups, keptBlocks, figures.peakEvent, BandMode::Site)))
    , sitePalette(std::make_shared<const BandPalette>(siteGroups, live))
    , categoryGroups(std::make_shared<const BandGroups>(groupsOfCategories(study, live)))
    , siteVariants(*siteGroups, categories, live, figures.peakEvent)
    , siteGuesses(*siteGroups, allocations, categories, *keptBlocks)
    , categoryPalette(
          std::make_shared<const BandPalette>(categoryGroups, *siteGroups, study, siteVariants, siteGuesses))
{
}

std::shared_ptr<const EventScale> ownScale(
    const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis)
{
    return {analysis, &analysis->scale(axis)};
}

const std::shared_ptr<const BandPalette>& DeviceAnalysis::allocationPalette() const
{
    const bool hasCategories = std::ranges::count(bandModes, BandMode::Category) > 0;
    return hasCategories ? categoryPalette : sitePalette;
}

} // namespace highwater::gui

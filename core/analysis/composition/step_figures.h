#pragma once

#include <optional>
#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/composition/kept_blocks.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/live_sets.h"

namespace highwater {

/// Returns the memory that was live at the peak of each step, by category; parallel to `steps`. Each row sums
/// to the step's peak. O(allocations × log steps + steps).
std::vector<CategoryBytes> categoriesAtPeaks(
    const AllocationTable& allocations, const CategoryTable& categories, const std::vector<Step>& steps);

/// The live bytes at the peak of each step, and the part of them that was kept from earlier steps, by
/// category; both parallel to the steps.
struct StepPeaks
{
    std::vector<CategoryBytes> live; ///< `categoriesAtPeaks`
    std::vector<CategoryBytes> kept;
};
/// Costs O(allocations × log steps + steps). `steps` must ascend.
StepPeaks stepPeaks(const AllocationTable& allocations, const CategoryTable& categories,
    const KeptBlocks& keptBlocks, const std::vector<Step>& steps);

/// Describes the set of allocations that a step left behind; their total is `Step::leftBehindBytes`.
LiveSetSpec leftBehindBy(const StepTable& table, std::size_t step);

/// Returns an axis on which all steps are equally wide: step i has [i, i + 1). Nothing if no steps are known.
std::optional<EventScale> scaleOfSteps(const StepTable& table);

/// The call site with the most live bytes at an event.
struct TopHolder
{
    SiteId site;
    Bytes bytes = 0;
};
/// Returns nothing if nothing is live. O(live + sites × log sites).
std::optional<TopHolder> topHolderAt(const LiveIndex& live, const CallSites& sites, std::int64_t event);

} // namespace highwater

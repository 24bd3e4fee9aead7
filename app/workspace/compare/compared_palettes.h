#pragma once

#include <memory>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater::gui {

/// Colours for the allocations of two compared runs. A category or call site that both runs have gets the
/// same colour in both.
struct ComparedPalettes
{
    std::shared_ptr<const BandPalette> before;
    std::shared_ptr<const BandPalette> after;
};

/// Returns colours by category if the allocations of both runs have categories, else by call site. `classes`
/// matches the call sites of the two traces. O(allocations + moments × live), plus sorting the call sites.
ComparedPalettes comparedPalettes(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const StackClasses& classes);

} // namespace highwater::gui

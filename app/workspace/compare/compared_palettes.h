#pragma once

#include <memory>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater::gui {

/// Colours for the allocations of two compared runs: what both runs have gets one colour.
struct ComparedPalettes
{
    std::shared_ptr<const BandPalette> before;
    std::shared_ptr<const BandPalette> after;
};

/// Colours by category if the allocations of both runs have categories; else by call site, matched across the
/// runs with `classes`, which are of both traces. O(allocations + moments × live).
ComparedPalettes comparedPalettes(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const StackClasses& classes);

} // namespace highwater::gui

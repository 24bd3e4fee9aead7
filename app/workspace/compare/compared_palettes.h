#pragma once

#include <memory>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater::gui {

/// Colours of the allocations of two compared runs: the same thing has the same colour.
struct ComparedPalettes
{
    std::shared_ptr<const BandPalette> before;
    std::shared_ptr<const BandPalette> after;
};

/// By category if categories divide the allocations of both; else by call site, which `classes` (of the
/// traces of both) match across the runs. O(allocations + moments × live).
ComparedPalettes comparedPalettes(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const StackClasses& classes);

} // namespace highwater::gui

#pragma once

#include <memory>

#include "app/workspace/document/device_analysis.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater::gui {

/// Colours of the allocations of two runs beside each other: what is the same has the same colour.
struct ComparedPalettes
{
    std::shared_ptr<const BandPalette> before;
    std::shared_ptr<const BandPalette> after;
};

/// By category where those tell the allocations of both apart; else by call site, which `classes` (of the
/// traces of both) know again in the other run. O(allocations + moments × live).
ComparedPalettes comparedPalettes(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const StackClasses& classes);

} // namespace highwater::gui

#pragma once

#include <cstddef>
#include <optional>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/view/selection.h"

namespace highwater::gui {

/// Returns the step that was selected as a whole, else the step in which the marked range begins, else the
/// step at the cursor; nullopt if there is none. O(log steps).
std::optional<std::size_t> selectedStep(const DeviceAnalysis& analysis, const Selection& selection);

/// Returns what "Fit selection" shows: the events [first, last) of the pinned allocation's life, else the
/// marked range, else `selectedStep`; nullopt if there is none of them. O(log steps).
std::optional<Selection::EventRange> selectedEvents(
    const DeviceAnalysis& analysis, const Selection& selection);

} // namespace highwater::gui

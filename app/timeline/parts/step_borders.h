#pragma once

#include <cstdint>
#include <optional>

#include "app/timeline/parts/plot_area.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

/// Returns the nearer border of the step at a horizontal position of the widget: its first event, or the
/// event after its last, which may be the number of events. Returns nullopt if the border is more than
/// `reach` pixels away, if no step is there, or if no steps were found. O(log steps).
std::optional<std::int64_t> stepBorderNear(
    const StepTable& table, const EventScale& scale, const PlotArea& area, double x, double reach);

} // namespace highwater::gui

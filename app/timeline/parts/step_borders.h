#pragma once

#include <cstdint>
#include <optional>

#include "app/timeline/parts/plot_area.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

/// Returns the border of two steps, or the begin or end of all, that is nearest to a horizontal position of
/// the widget: the event that begins the next step, or the number of events. Returns nullopt if it is more
/// than `reach` pixels away, or if the run has no steps. O(log steps).
std::optional<std::int64_t> stepBorderNear(
    const StepTable& table, const EventScale& scale, const PlotArea& area, double x, double reach);

} // namespace highwater::gui

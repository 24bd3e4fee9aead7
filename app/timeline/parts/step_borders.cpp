#include "app/timeline/parts/step_borders.h"

#include <algorithm>
#include <cmath>

namespace highwater::gui {

std::optional<std::int64_t> stepBorderNear(
    const StepTable& table, const EventScale& scale, const PlotArea& area, double x, double reach)
{
    if (table.source == StepSource::Whole || scale.eventCount() == 0)
        return std::nullopt;
    const std::int64_t event
        = std::clamp<std::int64_t>(scale.eventAt(area.keyAt(x)), 0, scale.eventCount() - 1);
    const std::optional<std::size_t> index = table.stepOf(event);
    if (!index)
        return std::nullopt;
    const auto distance = [&](std::int64_t border) {
        const double key = border < scale.eventCount() ? scale.positionOf(border) : scale.end();
        return std::abs(area.toX(key) - x);
    };
    const Step& step = table.steps[*index];
    const std::int64_t nearest = distance(step.begin) <= distance(step.end) ? step.begin : step.end;
    return distance(nearest) <= reach ? std::optional(nearest) : std::nullopt;
}

} // namespace highwater::gui

#include "core/analysis/usage/pixel_columns.h"

#include <algorithm>

namespace highwater {

std::vector<PixelColumn> pixelColumns(
    const UsageCurve& curve, const EventScale& scale, double begin, double end, int width)
{
    std::vector<PixelColumn> columns;
    if (width <= 0)
        return columns;
    columns.reserve(static_cast<std::size_t>(width));
    const auto edge = [&](int column) { return begin + (end - begin) * column / width; };
    std::int64_t first = scale.firstEventFrom(edge(0));
    for (int column = 0; column < width; ++column) {
        const std::int64_t last = scale.firstEventFrom(edge(column + 1));
        if (first < last) {
            columns.push_back(curve.peak(first, last));
        } else if (!scale.covers(edge(column))) {
            columns.push_back({kNoState, 0});
        } else {
            const std::int64_t validEvent
                = std::clamp<std::int64_t>(scale.eventAt(edge(column)), -1, curve.eventCount() - 1);
            columns.push_back({validEvent, curve.at(validEvent)});
        }
        first = last;
    }
    return columns;
}

std::vector<std::int64_t> shownEvents(const std::vector<PixelColumn>& columns)
{
    std::vector<std::int64_t> events;
    for (const PixelColumn& column : columns)
        if (column.event != kNoState && (events.empty() || column.event != events.back()))
            events.push_back(column.event);
    if (!std::ranges::is_sorted(events))
        std::ranges::sort(events);
    events.erase(std::unique(events.begin(), events.end()), events.end());
    return events;
}

} // namespace highwater

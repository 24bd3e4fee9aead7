#include "core/figure/raster/step_columns.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace highwater {

namespace {

/// Returns the first and the last step in a part of the axis; nothing if there are none.
std::optional<std::pair<std::size_t, std::size_t>> stepsIn(
    const StepTable& table, const EventScale& scale, double begin, double end)
{
    const auto first = table.stepOf(std::max<std::int64_t>(0, scale.eventAt(begin)));
    const auto last = table.stepOf(std::max<std::int64_t>(0, scale.firstEventFrom(end) - 1));
    if (!first || !last)
        return std::nullopt;
    return std::pair(*first, std::max(*first, *last));
}

/// Returns the number of steps in a pixel of the screen, rounded up; 0 if steps are wide enough.
std::size_t groupSize(
    const StepTable& table, const EventScale& scale, double begin, double end, double widthInPixels)
{
    const auto shown = stepsIn(table, scale, begin, end);
    if (table.source == StepSource::Whole || !shown)
        return 0;
    const double steps = static_cast<double>(shown->second - shown->first) / widthInPixels;
    return steps * kNarrowestStep > 1 ? static_cast<std::size_t>(std::ceil(steps)) : 0;
}

} // namespace

StepColumns stepColumns(const UsageCurve& curve, const StepTable& table, const EventScale& scale,
    double begin, double end, int width, int pixel)
{
    StepColumns result{pixelColumns(curve, scale, begin, end, width), 0, {}};
    const std::size_t steps
        = groupSize(table, scale, begin, end, static_cast<double>(width) / std::max(pixel, 1));
    if (steps == 0)
        return result;
    result.stepsPerGroup = steps;
    result.ends.resize(result.columns.size());
    const double each = (end - begin) / width;
    for (std::size_t x = 0; x < result.columns.size(); ++x) {
        const double left = begin + static_cast<double>(x) * each;
        const auto touched = stepsIn(table, scale, left, left + each);
        if (result.columns[x].event == kNoState || !touched)
            continue;
        const Step& first = table.steps[touched->first / steps * steps];
        const Step& last
            = table.steps[std::min((touched->second / steps + 1) * steps, table.steps.size()) - 1];
        result.columns[x] = curve.peak(first.begin, last.end);
        result.ends[x] = last.endBytes;
    }
    return result;
}

} // namespace highwater

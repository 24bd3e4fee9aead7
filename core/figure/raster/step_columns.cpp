#include "core/figure/raster/step_columns.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/figure/drawing/ticks.h"

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

/// Returns the number of steps in a group; 0 if steps are wide enough.
std::size_t groupSize(
    const StepTable& table, const EventScale& scale, double begin, double end, double widthInPixels)
{
    const auto shown = stepsIn(table, scale, begin, end);
    if (table.source == StepSource::Whole || !shown)
        return 0;
    const double stepsPerPixel = static_cast<double>(shown->second - shown->first) / widthInPixels;
    return stepsPerPixel * kNarrowestStep > 1
        ? static_cast<std::size_t>(roundStep(stepsPerPixel * kNarrowestGroup))
        : 0;
}

/// Returns the bar of the groups of `size` steps that contain the steps from `first` to `last`.
StepBar barOfGroups(const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t size)
{
    StepBar bar{first / size * size, std::min((last / size + 1) * size, steps.size()), first};
    for (std::size_t i = bar.first; i < bar.last; ++i)
        if (steps[i].peakBytes > steps[bar.shown].peakBytes)
            bar.shown = i;
    return bar;
}

} // namespace

StepColumns stepColumns(const UsageCurve& curve, const StepTable& table, const EventScale& scale,
    double begin, double end, int width, int pixel)
{
    StepColumns result{pixelColumns(curve, scale, begin, end, width), 0, {}};
    const std::size_t size
        = groupSize(table, scale, begin, end, static_cast<double>(width) / std::max(pixel, 1));
    if (size == 0)
        return result;
    result.stepsPerGroup = size;
    result.spreads.resize(result.columns.size());
    const double each = (end - begin) / width;
    std::pair<std::size_t, std::size_t> lastGroups;
    std::optional<std::size_t> lastColumn;
    for (std::size_t x = 0; x < result.columns.size(); ++x) {
        const double left = begin + static_cast<double>(x) * each;
        const auto touched = stepsIn(table, scale, left, left + each);
        if (result.columns[x].event == kNoState || !touched)
            continue;
        const std::pair groups(touched->first / size, touched->second / size);
        if (lastColumn && groups == lastGroups) {
            result.columns[x] = result.columns[*lastColumn];
            result.spreads[x] = result.spreads[*lastColumn];
        } else {
            const StepBar bar = barOfGroups(table.steps, touched->first, touched->second, size);
            result.columns[x] = curve.peak(table.steps[bar.first].begin, table.steps[bar.last - 1].end);
            result.spreads[x] = peakSpread(table.steps, bar);
        }
        lastGroups = groups;
        lastColumn = x;
    }
    return result;
}

} // namespace highwater

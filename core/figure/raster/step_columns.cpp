#include "core/figure/raster/step_columns.h"

#include <algorithm>
#include <functional>
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

/// Returns the index of the last group of `size` steps. What follows the last step is part of it.
std::size_t lastGroupOf(const std::vector<Step>& steps, std::size_t size)
{
    const auto last = std::find_if(steps.rbegin(), steps.rend(), std::mem_fn(&Step::isCounted));
    return last == steps.rend() ? 0 : static_cast<std::size_t>(steps.rend() - last - 1) / size;
}

/// Returns the bar of the groups from the first to the second; it shows the step `shown` unless another has a
/// higher peak.
StepBar barOfGroups(const std::vector<Step>& steps, std::pair<std::size_t, std::size_t> groups,
    std::size_t lastGroup, std::size_t size, std::size_t shown)
{
    StepBar bar{
        groups.first * size, groups.second == lastGroup ? steps.size() : (groups.second + 1) * size, shown};
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
    const std::size_t lastGroup = lastGroupOf(table.steps, size);
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
        const std::pair groups(
            std::min(touched->first / size, lastGroup), std::min(touched->second / size, lastGroup));
        if (lastColumn && groups == lastGroups) {
            result.columns[x] = result.columns[*lastColumn];
            result.spreads[x] = result.spreads[*lastColumn];
        } else {
            const StepBar bar = barOfGroups(table.steps, groups, lastGroup, size, touched->first);
            result.columns[x] = curve.peak(table.steps[bar.first].begin, table.steps[bar.last - 1].end);
            result.spreads[x] = peakSpread(table.steps, bar);
        }
        lastGroups = groups;
        lastColumn = x;
    }
    return result;
}

} // namespace highwater

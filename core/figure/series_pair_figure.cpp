#include "core/figure/series_pair_figure.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Draws one line with one label per position, since ranks often fail together.
void drawFailures(const PlacedSeries& before, const PlacedSeries& after, SeriesDrawing& drawing)
{
    std::map<double, std::string> runsAt;
    for (const PlacedFailure& failure : placedFailures(before))
        runsAt[failure.x] = "before";
    for (const PlacedFailure& failure : placedFailures(after))
        if (std::string& runs = runsAt[failure.x]; runs != "after")
            runs = runs.empty() ? "after" : "before and after";
    int row = 0;
    for (const auto& [x, runs] : runsAt)
        drawing.failure(x, "out of memory, " + runs, row++);
}

/// Draws one line if both logs state the same capacity.
void drawCapacities(const SeriesPairInFigure& input, SeriesDrawing& drawing)
{
    const std::optional<Bytes> before = loggedCapacity(input.before);
    const std::optional<Bytes> after = loggedCapacity(input.after);
    if (before && after && *before != *after) {
        drawing.capacity(*before, "capacity before");
        drawing.capacity(*after, "capacity after");
    } else if (before || after) {
        drawing.capacity(before ? *before : *after, "capacity");
    }
}

} // namespace

Figure seriesPairFigure(const SeriesPairInFigure& input, const FigureOptions& options)
{
    const CounterSeries& before = input.before.counters[input.pair.before];
    const CounterSeries& after = input.after.counters[input.pair.after];
    const SeriesAxis axis = seriesAxis(before, after);
    const PlacedSeries placedBefore(input.before, before, axis);
    const PlacedSeries placedAfter(input.after, after, axis);
    const Bytes largestBefore = wholeBytes(input.pair.beforeFigures.largest);
    const Bytes largestAfter = wholeBytes(input.pair.afterFigures.largest);
    const ChangeText text = formatChange(largestBefore, largestAfter);
    FigureSheet sheet(options, fmt::format("{} · before and after", measureText(before)),
        fmt::format("Largest {} → {} ({}, {}). Before: {}. After: {}.", text.before, text.after, text.delta,
            formatRelativeDelta(largestBefore, largestAfter), input.beforeName, input.afterName));
    const FigurePalette& colors = sheet.palette();
    const PairText inLegend = formatPair(largestBefore, largestAfter);
    const std::vector<LegendEntry> legend
        = sheet.keyOfRuns({{"before", inLegend.before, colors.reservedEdge, true, false},
            {"after", inLegend.after, colors.quietText, true, false}});
    SeriesExtent extent;
    extent.add(placedBefore);
    extent.add(placedAfter);
    for (const std::optional<Bytes>& capacity : {loggedCapacity(input.before), loggedCapacity(input.after)})
        extent.highest = std::max(extent.highest, static_cast<double>(capacity.value_or(0)));
    const PlotFrame plot = seriesFrame(sheet, extent, sheet.legendHeight(legend));
    sheet.byteAxis(plot, measureText(before));
    SeriesDrawing drawing(sheet, plot);
    drawFailures(placedBefore, placedAfter, drawing);
    drawCapacities(input, drawing);
    drawing.series(placedBefore, colors.reservedEdge, "before");
    drawing.series(placedAfter, colors.quietText, "after");
    sheet.countAxis(plot, seriesTicks(axis, plot), seriesAxisName(axis, "each run"));
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

#include "core/figure/series_figure.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/diff/logs/log_diff.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/memory_series.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag_shapes.h"
#include "core/figure/series_plot.h"

namespace highwater {

namespace {

std::string seriesSubtitle(const SeriesInFigure& input)
{
    const CounterSeries& bestSeries = input.log.counters[input.series.front()];
    const std::optional<SeriesFigures> figures = seriesFigures(bestSeries);
    if (!figures)
        return "The series has no numbers.";
    std::string text
        = fmt::format("{}: largest {}", measureText(bestSeries), valueText(bestSeries, figures->largest));
    if (figures->largestStep != CounterSeries::kNoStep)
        text += " at step " + formatCount(figures->largestStep);
    if (const std::optional<Bytes> capacity = loggedCapacity(input.log))
        text += fmt::format("; capacity {}", formatBytes(*capacity));
    return text + ".";
}

/// Returns the positions of a log's messages on the axis, by line.
std::map<std::uint64_t, double> messagePlaces(const Trace& log, const PlacedSeries& series)
{
    std::map<std::uint64_t, double> places;
    for (const LogEvent& event : log.logEvents)
        if (const std::optional<double> x = series.xOf(event))
            places.try_emplace(event.line, *x);
    return places;
}

/// Moves flags from lines of the log to positions on the axis: a message has its own position, any other line
/// that of the last point before it; lines before the first point are at the left edge.
std::vector<NoteFlag> flagsAtPoints(
    std::vector<NoteFlag> flags, const Trace& log, const PlacedSeries& series, const PlotFrame& plot)
{
    if (flags.empty())
        return flags;
    const std::map<std::uint64_t, double> messages = messagePlaces(log, series);
    const auto xOf = [&](double flaggedLine) {
        const auto line = static_cast<std::uint64_t>(std::max(flaggedLine, 0.0));
        const auto message = messages.find(line);
        return message != messages.end() ? message->second : series.xOfLine(line).value_or(plot.xBegin);
    };
    for (NoteFlag& flag : flags) {
        flag.last = xOf(flag.last);
        flag.first = xOf(flag.first);
    }
    return flags;
}

} // namespace

std::vector<std::size_t> memorySeriesOf(const Trace& log)
{
    return bestMemorySeries(log) ? drawnSeries(log, displayedSeries(log)) : std::vector<std::size_t>();
}

Figure seriesFigure(
    const SeriesInFigure& input, const FigureOptions& options, const std::vector<NoteFlag>& flags)
{
    const CounterSeries& firstSeries = input.log.counters[input.series.front()];
    const SeriesAxis axis = seriesAxis(firstSeries, firstSeries);
    FigureSheet sheet(options, fmt::format("{} · {}", options.source, input.title), seriesSubtitle(input));
    SeriesExtent extent;
    std::vector<PlacedSeries> placed;
    std::vector<LegendEntry> legend;
    const std::vector<ThemedColor> colors = seriesColors(input.log, input.series);
    for (const std::size_t index : input.series) {
        const CounterSeries& series = input.log.counters[index];
        placed.emplace_back(input.log, series, axis);
        extent.add(placed.back());
        const std::optional<SeriesFigures> figures = seriesFigures(series);
        legend.push_back({measureText(series), figures ? "up to " + valueText(series, figures->largest) : "",
            colors[legend.size()].light, true, false});
    }
    const std::optional<Bytes> capacity = loggedCapacity(input.log);
    extent.highest = std::max(extent.highest, static_cast<double>(capacity.value_or(0)));
    legend = sheet.fittingLegend(std::move(legend));
    PlotFrame plot = seriesFrame(sheet, extent, sheet.legendHeight(legend));
    const std::vector<FlagPlace> places
        = placeFlags(flagsAtPoints(flags, input.log, placed.front(), plot), plot);
    plot.top += flagsHeight(places);
    sheet.byteAxis(plot, input.title);
    drawFlagBands(sheet, plot, places);
    SeriesDrawing drawing(sheet, plot);
    int row = 0;
    for (const PlacedFailure& failure : placedFailures(placed.front()))
        drawing.failure(failure.x, failureLabel(input.log, failure), row++);
    if (capacity)
        drawing.capacity(*capacity, "capacity");
    for (std::size_t i = 0; i < placed.size(); ++i)
        drawing.series(placed[i], colors[i].light,
            input.series.size() > 1 ? measureText(input.log.counters[input.series[i]]) : "");
    drawFlags(sheet, plot, places);
    sheet.countAxis(plot, seriesTicks(axis, plot), seriesAxisName(axis, "the run"));
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

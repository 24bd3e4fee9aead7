#include "core/figure/series_figure.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/diff/log_diff.h"
#include "core/analysis/diff/log_diff_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag_shapes.h"
#include "core/figure/series_plot.h"

namespace highwater {

namespace {

constexpr std::size_t kMostSeries = 4;

/// True if the series can be drawn with the best series: another measure of the same device by the same
/// process. Figures of several processes do not describe one device.
bool isBeside(const CounterSeries& series, const CounterSeries& best)
{
    return series.unit == best.unit && measuresDevice(series) && series.rank == best.rank
        && series.process == best.process && series.deviceOrdinal == best.deviceOrdinal
        && series.component.empty() && series.metric != best.metric;
}

std::string seriesSubtitle(const SeriesInFigure& what)
{
    const CounterSeries& best = what.log.counters[what.series.front()];
    const std::optional<SeriesFigures> figures = seriesFigures(best);
    if (!figures)
        return "The series has no numbers.";
    std::string text = fmt::format("{}: largest {}", measureText(best), valueText(best, figures->largest));
    if (figures->largestStep != CounterSeries::kNoStep)
        text += " at step " + formatCount(figures->largestStep);
    if (const std::optional<Bytes> capacity = loggedCapacity(what.log))
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
std::vector<NoteFlag> atPoints(
    std::vector<NoteFlag> flags, const Trace& log, const PlacedSeries& series, const PlotFrame& plot)
{
    if (flags.empty())
        return flags;
    const std::map<std::uint64_t, double> messages = messagePlaces(log, series);
    const auto xOf = [&](double at) {
        const auto line = static_cast<std::uint64_t>(std::max(at, 0.0));
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
    const std::optional<SeriesPair> best = bestMemorySeries(log);
    if (!best || !best->isDrawable())
        return {};
    std::vector<std::size_t> all{best->before};
    for (std::size_t i = 0; i < log.counters.size() && all.size() < kMostSeries; ++i) {
        const std::optional<SeriesFigures> figures = seriesFigures(log.counters[i]);
        if (i != best->before && figures && figures->smallest >= 0
            && isBeside(log.counters[i], log.counters[best->before]))
            all.push_back(i);
    }
    return all;
}

Figure seriesFigure(
    const SeriesInFigure& what, const FigureOptions& options, const std::vector<NoteFlag>& flags)
{
    const CounterSeries& best = what.log.counters[what.series.front()];
    const SeriesAxis axis = seriesAxis(best, best);
    FigureSheet sheet(options, fmt::format("{} · {}", options.source, what.title), seriesSubtitle(what));
    SeriesExtent extent;
    std::vector<PlacedSeries> placed;
    std::vector<LegendEntry> legend;
    for (const std::size_t index : what.series) {
        const CounterSeries& series = what.log.counters[index];
        placed.emplace_back(what.log, series, axis);
        extent.add(placed.back());
        const std::optional<SeriesFigures> figures = seriesFigures(series);
        legend.push_back({measureText(series), figures ? "up to " + valueText(series, figures->largest) : "",
            lineColor(legend.size()), true, false});
    }
    const std::optional<Bytes> capacity = loggedCapacity(what.log);
    extent.highest = std::max(extent.highest, static_cast<double>(capacity.value_or(0)));
    legend = sheet.fittingLegend(std::move(legend));
    PlotFrame plot = seriesFrame(sheet, extent, sheet.legendHeight(legend));
    const std::vector<FlagPlace> places = placeFlags(atPoints(flags, what.log, placed.front(), plot), plot);
    plot.top += flagsHeight(places);
    sheet.byteAxis(plot, what.title);
    drawFlagBands(sheet, plot, places);
    SeriesDrawing drawing(sheet, plot);
    if (capacity)
        drawing.capacity(*capacity, "capacity");
    int row = 0;
    for (const double x : failurePlaces(placed.front()))
        drawing.failure(x, "out of memory", row++);
    for (std::size_t i = 0; i < placed.size(); ++i)
        drawing.series(placed[i], lineColor(i),
            what.series.size() > 1 ? measureText(what.log.counters[what.series[i]]) : "");
    drawFlags(sheet, plot, places);
    sheet.countAxis(plot, seriesTicks(axis, plot), seriesAxisName(axis, "the run"));
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

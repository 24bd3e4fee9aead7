#include "core/figure/series_pair_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/figure/diff_colors.h"

namespace highwater {

namespace {

constexpr double kAxisRoom = 44;
constexpr double kLabelRoom = 92;
constexpr double kLabelRow = 20;
constexpr double kDot = 5;
/// Of more points than this only the largest has a dot.
constexpr std::size_t kMostDots = 200;
constexpr std::size_t kMostMarks = 12;

/// A point on the common axis.
struct PlacedPoint
{
    double x = 0;
    double value = 0;
    std::size_t point = 0; ///< in the series
};

Nanoseconds firstTime(const CounterSeries& series)
{
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    for (std::size_t i = 0; i < series.points(); ++i)
        if (series.timeAt(i) > 0)
            first = std::min(first, series.timeAt(i));
    return first;
}

/// One of the two series on the axis of both.
class PlacedSeries
{
public:
    PlacedSeries(const Trace& log, const CounterSeries& series, SeriesAxis axis)
        : m_log(log)
        , m_series(series)
        , m_axis(axis)
        , m_firstTime(firstTime(series))
    {
        for (std::size_t i = 0; i < series.points(); ++i)
            if (const std::optional<double> x = xOf(i); x && std::isfinite(series.value[i]))
                m_points.push_back({*x, series.value[i], i});
    }

    const std::vector<PlacedPoint>& points() const { return m_points; }

    /// Where memory ran out; none: before everything that is drawn.
    std::optional<double> xOf(const LogEvent& event) const
    {
        if (m_axis == SeriesAxis::Step && event.step != LogEvent::kNoStep)
            return static_cast<double>(event.step);
        if (m_axis == SeriesAxis::Time && event.time > 0 && event.time >= m_firstTime)
            return static_cast<double>(event.time - m_firstTime);
        std::optional<double> x;
        for (const PlacedPoint& point : m_points)
            if (m_series.lineAt(point.point) <= event.line)
                x = point.x;
        return x;
    }

    std::string textOf(const PlacedPoint& point) const
    {
        const std::string value = valueText(m_series, point.value);
        const std::int64_t step = m_series.stepAt(point.point);
        return step == CounterSeries::kNoStep ? value : fmt::format("step {}: {}", formatCount(step), value);
    }

    const Trace& log() const { return m_log; }

private:
    std::optional<double> xOf(std::size_t point) const
    {
        if (m_axis == SeriesAxis::Point)
            return static_cast<double>(point);
        if (m_axis == SeriesAxis::Time)
            return m_series.timeAt(point) > 0
                ? std::optional(static_cast<double>(m_series.timeAt(point) - m_firstTime))
                : std::nullopt;
        const std::int64_t step = m_series.stepAt(point);
        return step == CounterSeries::kNoStep ? std::nullopt : std::optional(static_cast<double>(step));
    }

    const Trace& m_log;
    const CounterSeries& m_series;
    SeriesAxis m_axis;
    Nanoseconds m_firstTime;
    std::vector<PlacedPoint> m_points;
};

/// First, lowest, highest and last point of each pixel, in their order.
std::vector<FigurePoint> thinned(const std::vector<PlacedPoint>& points, const PlotFrame& plot)
{
    std::vector<FigurePoint> line;
    for (std::size_t first = 0; first < points.size();) {
        const double pixel = std::floor(plot.x(points[first].x));
        std::size_t last = first;
        std::size_t low = first;
        std::size_t high = first;
        for (std::size_t i = first; i < points.size() && std::floor(plot.x(points[i].x)) == pixel; ++i) {
            last = i;
            low = points[i].value < points[low].value ? i : low;
            high = points[i].value > points[high].value ? i : high;
        }
        for (const std::size_t i : {first, std::min(low, high), std::max(low, high), last}) {
            const FigurePoint at{plot.x(points[i].x), plot.y(points[i].value)};
            if (line.empty() || !(line.back() == at))
                line.push_back(at);
        }
        first = last + 1;
    }
    return line;
}

/// Each place once, in the order of the log.
std::vector<double> failurePlaces(const PlacedSeries& series)
{
    std::vector<double> places;
    for (const LogFailure& failure : logFailures(series.log())) {
        const std::optional<double> x = series.xOf(series.log().logEvents[failure.event]);
        if (x && std::find(places.begin(), places.end(), *x) == places.end())
            places.push_back(*x);
        if (places.size() == kMostMarks)
            break;
    }
    return places;
}

class PairDrawing
{
public:
    PairDrawing(FigureSheet& sheet, const PlotFrame& plot)
        : m_sheet(sheet)
        , m_plot(plot)
    {
    }

    void series(const PlacedSeries& series, FigureColor color, const std::string& run)
    {
        std::vector<FigurePoint> line = thinned(series.points(), m_plot);
        if (line.size() > 1)
            m_sheet.add(FigureLine{.points = std::move(line), .color = color, .width = 2});
        const std::vector<PlacedPoint>& points = series.points();
        if (points.size() > kMostDots)
            return dot(series,
                *std::max_element(points.begin(), points.end(),
                    [](const PlacedPoint& a, const PlacedPoint& b) { return a.value < b.value; }),
                color, run);
        for (const PlacedPoint& point : points)
            dot(series, point, color, run);
    }

    void capacity(Bytes bytes, const std::string& label)
    {
        const double y = m_plot.y(static_cast<double>(bytes));
        m_sheet.add(FigureLine{.points = {{m_plot.left, y}, {m_plot.right, y}},
            .color = m_sheet.palette().text,
            .dash = {6, 4}});
        m_sheet.label(
            m_plot.right, y, fmt::format("{} {}", label, formatBytes(bytes)), m_sheet.palette().text, m_plot);
    }

    /// A line for each place, named once: ranks often fail together.
    void failures(const PlacedSeries& before, const PlacedSeries& after)
    {
        std::map<double, std::string> runsAt;
        for (const double x : failurePlaces(before))
            runsAt[x] = "before";
        for (const double x : failurePlaces(after))
            if (std::string& runs = runsAt[x]; runs != "after")
                runs = runs.empty() ? "after" : "before and after";
        int row = 0;
        for (const auto& [x, runs] : runsAt) {
            m_sheet.add(FigureLine{.points = {{m_plot.x(x), m_plot.top}, {m_plot.x(x), m_plot.bottom}},
                .color = m_sheet.palette().danger,
                .width = 1.5,
                .dash = {3, 3}});
            // At the bottom, where a run that ran out of memory has no curve; neighbours stand over each
            // other.
            m_sheet.label(m_plot.x(x), m_plot.bottom - 8 - kLabelRow * static_cast<double>(row++ % 4),
                "out of memory, " + runs, m_sheet.palette().danger, m_plot);
        }
    }

private:
    void dot(const PlacedSeries& series, const PlacedPoint& point, FigureColor color, const std::string& run)
    {
        m_sheet.add(FigureRect{.x = m_plot.x(point.x) - kDot / 2,
            .y = m_plot.y(point.value) - kDot / 2,
            .width = kDot,
            .height = kDot,
            .fill = color,
            .title = fmt::format("{}, {}", run, series.textOf(point))});
    }

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
};

/// What the axes must hold.
struct Extent
{
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    double highest = 0;

    void add(const PlacedSeries& series)
    {
        for (const PlacedPoint& point : series.points()) {
            addX(point.x);
            highest = std::max(highest, point.value);
        }
        for (const double x : failurePlaces(series))
            addX(x);
    }
    void addX(double x)
    {
        left = std::min(left, x);
        right = std::max(right, x);
    }
};

PlotFrame frameOf(const FigureSheet& sheet, const Extent& extent, double legend)
{
    PlotFrame plot;
    plot.left = sheet.margin() + kLabelRoom;
    plot.right = sheet.width() - sheet.margin();
    plot.top = sheet.contentTop();
    plot.bottom = sheet.height() - sheet.margin() - legend - kAxisRoom;
    const bool any = extent.left <= extent.right;
    const double margin = any && extent.right > extent.left ? (extent.right - extent.left) * 0.02 : 1;
    plot.xBegin = (any ? extent.left : 0) - margin;
    plot.xEnd = (any ? extent.right : 0) + margin;
    plot.fitBytes(std::max<Bytes>(wholeBytes(extent.highest), 1), 0);
    return plot;
}

Ticks ticksOf(SeriesAxis axis, const PlotFrame& plot)
{
    // Steps are numbers of the log: of any size.
    const std::int64_t begin = wholeBytes(std::ceil(std::max(plot.xBegin, 0.0)));
    const std::int64_t end = wholeBytes(std::max(std::floor(plot.xEnd), 1.0));
    const int wanted = static_cast<int>(plot.width() / 90);
    return axis == SeriesAxis::Time ? durationTicks(begin, end, wanted) : countTicks(begin, end, wanted);
}

std::string axisName(SeriesAxis axis)
{
    switch (axis) {
    case SeriesAxis::Step: return "step";
    case SeriesAxis::Time: return "time since the first point of each run";
    case SeriesAxis::Point: break;
    }
    return "point of each run";
}

/// One line where both logs tell the same.
void drawCapacities(const SeriesPairInFigure& what, PairDrawing& drawing)
{
    const std::optional<Bytes> before = loggedCapacity(what.before);
    const std::optional<Bytes> after = loggedCapacity(what.after);
    if (before && after && *before != *after) {
        drawing.capacity(*before, "capacity before");
        drawing.capacity(*after, "capacity after");
    } else if (before || after) {
        drawing.capacity(before ? *before : *after, "capacity");
    }
}

} // namespace

SeriesAxis seriesAxis(const CounterSeries& before, const CounterSeries& after)
{
    const auto mostHave = [](const CounterSeries& series, auto&& has) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < series.points(); ++i)
            count += has(series, i) ? 1 : 0;
        return 2 * count > series.points();
    };
    const auto hasStep = [](const CounterSeries& series, std::size_t i) {
        return series.stepAt(i) != CounterSeries::kNoStep;
    };
    const auto hasTime = [](const CounterSeries& series, std::size_t i) { return series.timeAt(i) > 0; };
    if (mostHave(before, hasStep) && mostHave(after, hasStep))
        return SeriesAxis::Step;
    return mostHave(before, hasTime) && mostHave(after, hasTime) ? SeriesAxis::Time : SeriesAxis::Point;
}

Figure seriesPairFigure(const SeriesPairInFigure& what, const FigureOptions& options)
{
    const CounterSeries& before = what.before.counters[what.pair.before];
    const CounterSeries& after = what.after.counters[what.pair.after];
    const SeriesAxis axis = seriesAxis(before, after);
    const PlacedSeries placedBefore(what.before, before, axis);
    const PlacedSeries placedAfter(what.after, after, axis);
    const Bytes low = wholeBytes(what.pair.beforeFigures.largest);
    const Bytes high = wholeBytes(what.pair.afterFigures.largest);
    FigureSheet sheet(options, fmt::format("{} · before and after", measureText(before)),
        fmt::format("Largest {} → {} ({}, {}). Before: {}. After: {}.", formatBytes(low), formatBytes(high),
            formatBytesDelta(high - low), formatRelativeDelta(low, high), what.beforeName, what.afterName));
    const DiffColors colors = DiffColors::of(options.dark);
    const std::vector<LegendEntry> legend
        = sheet.fittingLegend({{"before", formatBytes(low), colors.before, true, false},
            {"after", formatBytes(high), colors.after, true, false}});
    Extent extent;
    extent.add(placedBefore);
    extent.add(placedAfter);
    for (const std::optional<Bytes>& capacity : {loggedCapacity(what.before), loggedCapacity(what.after)})
        extent.highest = std::max(extent.highest, static_cast<double>(capacity.value_or(0)));
    const PlotFrame plot = frameOf(sheet, extent, sheet.legendHeight(legend));
    sheet.byteAxis(plot, measureText(before));
    PairDrawing drawing(sheet, plot);
    drawCapacities(what, drawing);
    drawing.failures(placedBefore, placedAfter);
    drawing.series(placedBefore, colors.before, "before");
    drawing.series(placedAfter, colors.after, "after");
    sheet.countAxis(plot, ticksOf(axis, plot), axisName(axis));
    sheet.legend(legend, sheet.height() - sheet.margin() - sheet.legendHeight(legend) + 6);
    return sheet.take();
}

} // namespace highwater

#include "core/figure/series_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/analysis/diff/logs/log_diff.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr double kFailureGap = 8; // from the end of a label to the line of the failure
constexpr double kDot = 5;
/// If a series has more points than this, only its largest has a dot.
constexpr std::size_t kMaxDots = 200;
constexpr std::size_t kMaxFailurePlaces = 12;

/// Returns the earliest recorded time; the largest possible one if there is none.
Nanoseconds firstTime(const CounterSeries& series)
{
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    for (std::size_t i = 0; i < series.points(); ++i)
        if (series.timeAt(i) > 0)
            first = std::min(first, series.timeAt(i));
    return first;
}

/// Returns the points in pixels, at most four per column of pixels.
std::vector<FigurePoint> thinnedLine(const std::vector<PlacedPoint>& points, const PlotFrame& plot)
{
    std::vector<FigurePoint> line;
    for (const std::size_t i : pixelExtremes(
             points.size(), [&](std::size_t i) { return plot.x(points[i].x); },
             [&](std::size_t i) { return points[i].value; })) {
        const FigurePoint place{plot.x(points[i].x), plot.y(points[i].value)};
        if (line.empty() || !(line.back() == place))
            line.push_back(place);
    }
    return line;
}

template <typename Has>
bool mostPointsHave(const CounterSeries& series, const Has& has)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < series.points(); ++i)
        count += has(series, i) ? 1 : 0;
    return 2 * count > series.points();
}

} // namespace

SeriesAxis seriesAxis(const CounterSeries& before, const CounterSeries& after)
{
    const auto hasStep = [](const CounterSeries& series, std::size_t i) {
        return series.stepAt(i) != CounterSeries::kNoStep;
    };
    const auto hasTime = [](const CounterSeries& series, std::size_t i) { return series.timeAt(i) > 0; };
    if (mostPointsHave(before, hasStep) && mostPointsHave(after, hasStep))
        return SeriesAxis::Step;
    return mostPointsHave(before, hasTime) && mostPointsHave(after, hasTime) ? SeriesAxis::Time
                                                                             : SeriesAxis::Point;
}

std::string seriesAxisName(SeriesAxis axis, const std::string& run)
{
    switch (axis) {
    case SeriesAxis::Step: return "step";
    case SeriesAxis::Time: return "time since the first point of " + run;
    case SeriesAxis::Point: break;
    }
    return "point of " + run;
}

PlacedSeries::PlacedSeries(const Trace& log, const CounterSeries& series, SeriesAxis axis)
    : m_log(log)
    , m_series(series)
    , m_axis(axis)
    , m_firstTime(firstTime(series))
{
    for (std::size_t i = 0; i < series.points(); ++i)
        if (const std::optional<double> x = xOf(i); x && std::isfinite(series.value[i]))
            m_points.push_back({*x, series.value[i], i});
    for (const PlacedPoint& point : m_points)
        m_byLine.emplace_back(series.lineAt(point.point), point.x);
    std::ranges::stable_sort(m_byLine, {}, &std::pair<std::uint64_t, double>::first);
}

std::optional<double> PlacedSeries::xOf(const LogEvent& event) const
{
    if (m_axis == SeriesAxis::Step && event.step != LogEvent::kNoStep)
        return stepPosition(event);
    if (m_axis == SeriesAxis::Time && event.time > 0 && event.time >= m_firstTime)
        return static_cast<double>(event.time - m_firstTime);
    return xOfLine(event.line);
}

std::optional<double> PlacedSeries::xOfLine(std::uint64_t line) const
{
    const auto firstAfterLine
        = std::ranges::upper_bound(m_byLine, line, {}, &std::pair<std::uint64_t, double>::first);
    return firstAfterLine == m_byLine.begin() ? std::nullopt : std::optional((firstAfterLine - 1)->second);
}

std::string PlacedSeries::textOf(const PlacedPoint& point) const
{
    const std::string value = valueText(m_series, point.value);
    const std::int64_t step = m_series.stepAt(point.point);
    return step == CounterSeries::kNoStep ? value : fmt::format("step {}: {}", formatCount(step), value);
}

std::optional<double> PlacedSeries::xOf(std::size_t point) const
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

std::vector<std::size_t> pixelExtremes(std::size_t points, const std::function<double(std::size_t)>& pixelOf,
    const std::function<double(std::size_t)>& valueOf)
{
    std::vector<std::size_t> extremes;
    for (std::size_t first = 0; first < points;) {
        const double pixel = std::floor(pixelOf(first));
        std::size_t last = first;
        std::size_t low = first;
        std::size_t high = first;
        for (std::size_t i = first; i < points && std::floor(pixelOf(i)) == pixel; ++i) {
            last = i;
            low = valueOf(i) < valueOf(low) ? i : low;
            high = valueOf(i) > valueOf(high) ? i : high;
        }
        for (const std::size_t i : {first, std::min(low, high), std::max(low, high), last})
            if (extremes.empty() || extremes.back() != i)
                extremes.push_back(i);
        first = last + 1;
    }
    return extremes;
}

std::vector<PlacedFailure> placedFailures(
    const Trace& log, const std::function<std::optional<double>(const LogEvent&)>& xOf)
{
    std::vector<PlacedFailure> places;
    for (const LogFailure& failure : logFailures(log)) {
        const std::optional<double> x = xOf(log.logEvents[failure.event]);
        if (!x)
            continue;
        const auto known = std::ranges::find(places, *x, &PlacedFailure::x);
        if (known != places.end())
            known->events.push_back(failure.event);
        else if (places.size() < kMaxFailurePlaces)
            places.push_back({*x, {failure.event}});
    }
    return places;
}

std::vector<PlacedFailure> placedFailures(const PlacedSeries& series)
{
    return placedFailures(series.log(), [&](const LogEvent& event) { return series.xOf(event); });
}

double stepPosition(const LogEvent& event)
{
    return static_cast<double>(event.step) - (event.stepInferred ? 0.5 : 0);
}

std::string failureLabel(const Trace& log, const PlacedFailure& failure)
{
    std::set<std::optional<std::int64_t>> ranks;
    std::set<Bytes> requests; // 0 for a message without a request
    for (const std::size_t event : failure.events) {
        const std::optional<OomFigures>& figures = log.logEvents[event].figures;
        ranks.insert(log.logEvents[event].rank);
        requests.insert(figures && figures->requested ? figures->requested->bytes : 0);
    }
    const bool hasOneRequest = requests.size() == 1 && *requests.begin() > 0;
    const std::size_t count = failure.events.size();
    if (count > 1 && ranks.size() == count && !ranks.contains(std::nullopt))
        return fmt::format("{} ranks out of memory", count)
            + (hasOneRequest ? fmt::format(": {} requested by each", formatBytes(*requests.begin())) : "");
    std::string label = "out of memory";
    if (count > 1)
        label += count == 2 ? " twice" : fmt::format(" {} times", count);
    const std::optional<OomFigures>& figures = log.logEvents[failure.events.front()].figures;
    if (!figures || !figures->requested)
        return label;
    label += fmt::format(": {} requested", formatBytes(figures->requested->bytes));
    return figures->free ? label + fmt::format(", {} free", formatBytes(figures->free->bytes)) : label;
}

std::vector<ThemedColor> seriesColors(const Trace& log, const std::vector<std::size_t>& order)
{
    // Memory in use is dark and reserved memory grey, as in the timeline and the gauge.
    const ThemedColor ink{FigurePalette::light().text, FigurePalette::darkColors().text};
    static constexpr std::size_t kInk = kLineColorCount;
    static constexpr std::size_t kGrey = kLineColorCount + 1;
    static constexpr std::array<std::pair<std::string_view, std::size_t>, 5> kOfMeasure{{{"allocated", kInk},
        {"allocated_peak", kInk}, {"reserved", kGrey}, {"reserved_peak", kGrey}, {"device_used", 5}}};
    std::vector<std::optional<std::size_t>> chosen;
    std::set<std::size_t> taken;
    for (const std::size_t index : order) {
        const CounterSeries& series = log.counters[index];
        const auto own = std::ranges::find(
            kOfMeasure, std::string_view(series.metric), &std::pair<std::string_view, std::size_t>::first);
        const bool isWhole = series.component.empty() && series.stage.empty();
        const bool hasOwn = isWhole && own != kOfMeasure.end() && taken.insert(own->second).second;
        chosen.push_back(hasOwn ? std::optional(own->second) : std::nullopt);
    }
    // The others share what is left, red and what is near to it or to grey last.
    std::vector<std::size_t> left{0, 3, 4, 1, 5, 6, 7, 2};
    std::erase_if(left, [&](std::size_t color) { return taken.contains(color); });
    std::size_t others = 0;
    std::vector<ThemedColor> colors;
    for (const std::optional<std::size_t>& own : chosen) {
        const std::size_t color = own ? *own : left[others++ % left.size()];
        colors.push_back(color == kInk ? ink
                : color == kGrey       ? kThemedReservedLine
                                       : themedSeriesColor(color));
    }
    return colors;
}

std::string shortSeriesName(const CounterSeries& series)
{
    const std::string metric = metricText(series);
    return metric.empty() ? sanitizedText(series.name) : metric;
}

void SeriesExtent::add(const PlacedSeries& series)
{
    for (const PlacedPoint& point : series.points()) {
        addX(point.x);
        highest = std::max(highest, point.value);
    }
    for (const PlacedFailure& failure : placedFailures(series))
        addX(failure.x);
}

void SeriesExtent::addX(double x)
{
    left = hasPositions ? std::min(left, x) : x;
    right = hasPositions ? std::max(right, x) : x;
    hasPositions = true;
}

PlotFrame seriesFrame(const FigureSheet& sheet, const SeriesExtent& extent, double legend)
{
    PlotFrame plot;
    plot.left = sheet.margin() + sheet.labelRoom();
    plot.right = sheet.width() - sheet.margin();
    plot.top = sheet.contentTop();
    plot.bottom = sheet.height() - sheet.margin() - legend - sheet.axisRoom();
    const double margin = extent.right > extent.left ? (extent.right - extent.left) * 0.02 : 1;
    plot.xBegin = extent.left - margin;
    plot.xEnd = extent.right + margin;
    plot.fitBytes(std::max<Bytes>(wholeBytes(extent.highest), 1), 0);
    return plot;
}

Ticks seriesTicks(SeriesAxis axis, const PlotFrame& plot)
{
    const double begin = std::max(plot.xBegin, 0.0);
    const double end = std::max(plot.xEnd, 1.0);
    const int wanted = std::max(1, static_cast<int>(plot.width() / 90));
    return axis == SeriesAxis::Time ? durationTicks(begin, end, wanted) : countTicks(begin, end, wanted);
}

void SeriesDrawing::series(const PlacedSeries& series, FigureColor color, const std::string& run)
{
    std::vector<FigurePoint> line = thinnedLine(series.points(), m_plot);
    if (line.size() > 1)
        m_sheet.add(FigureLine{.points = std::move(line), .color = color, .width = 2});
    const std::vector<PlacedPoint>& points = series.points();
    if (points.size() > kMaxDots)
        return dot(series,
            *std::max_element(points.begin(), points.end(),
                [](const PlacedPoint& a, const PlacedPoint& b) { return a.value < b.value; }),
            color, run);
    for (const PlacedPoint& point : points)
        dot(series, point, color, run);
}

void SeriesDrawing::capacity(Bytes bytes, const std::string& label)
{
    const double y = m_plot.y(static_cast<double>(bytes));
    m_sheet.add(styledLine(LineKind::Capacity, {{m_plot.left, y}, {m_plot.right, y}}));
    const std::string text = fmt::format("{} {}", label, formatBytes(bytes));
    const double left = m_plot.right - textWidth(text, FigureSheet::kFont, true) - 2 * kFailureGap;
    const bool isCrossed = std::ranges::any_of(m_failures, [left](double x) { return x > left; });
    m_sheet.label(isCrossed ? m_plot.left : m_plot.right, y, text, m_sheet.palette().text, m_plot);
}

void SeriesDrawing::failure(double x, const std::string& label, int row)
{
    m_sheet.add(styledLine(LineKind::OutOfMemory, {{m_plot.x(x), m_plot.top}, {m_plot.x(x), m_plot.bottom}}));
    m_failures.push_back(m_plot.x(x));
    m_sheet.label(m_plot.x(x) - textWidth(label, FigureSheet::kFont, true) / 2 - kFailureGap,
        m_plot.bottom - 8 - FigureSheet::kLabelRow * static_cast<double>(row % 4), label,
        m_sheet.palette().danger, m_plot);
}

void SeriesDrawing::dot(
    const PlacedSeries& series, const PlacedPoint& point, FigureColor color, const std::string& run)
{
    m_sheet.rect({m_plot.x(point.x) - kDot / 2, m_plot.y(point.value) - kDot / 2, kDot, kDot}, color,
        run.empty() ? series.textOf(point) : fmt::format("{}, {}", run, series.textOf(point)));
}

} // namespace highwater

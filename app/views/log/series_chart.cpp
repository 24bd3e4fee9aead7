#include "app/views/log/series_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/views/log/series_overlay.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/series_plot.h"

namespace highwater::gui {

namespace {

constexpr double kNanosecondsPerSecond = 1e9;
constexpr double kHeadroom = 1.08; ///< factor of the highest value
constexpr int kClickRadius = 24;

} // namespace

SeriesChart::SeriesChart(QWidget* parent)
    : PlotWidget(parent)
    , m_overlay(new SeriesOverlay(&canvas()))
    , m_colors(ThemeColors::light())
    , m_mark(new QCPItemStraightLine(&canvas()))
    , m_capacity(new QCPItemStraightLine(&canvas()))
{
    named(this, "seriesChart", tr("Chart of the log's series"));
    canvas().setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    canvas().axisRect()->setRangeZoom(Qt::Horizontal);
    canvas().axisRect()->setRangeDrag(Qt::Horizontal);
    m_mark->setVisible(false);
    m_capacity->setVisible(false);
    setColors(m_colors);
    connect(canvas().xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
        if (!m_isFilling)
            fillGraphs();
    });
    connect(&canvas(), &QCustomPlot::mouseDoubleClick, this, [this] { fitAll(); });
    connect(&canvas(), &QCustomPlot::mousePress, this, &SeriesChart::clickAt);
}

/// Redraws the chart if it is visible and has room: QCustomPlot cannot paint an empty plot.
void SeriesChart::refresh()
{
    canvas().axisRect()->setMinimumMargins(m_overlay->margins(font()));
    if (isVisible() && width() > 1 && height() > 1)
        replotLater();
}

QColor SeriesChart::colorOf(std::size_t series) const
{
    return readableLine(themed(m_seriesColors[series], m_colors.dark), m_colors);
}

void SeriesChart::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    canvas().setBackground(QBrush(colors.surface));
    for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis}) {
        setAxisColors(*axis, colors);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
    }
    m_mark->setPen(QPen(colors.accent, 1, Qt::DashLine));
    m_capacity->setPen(linePen(LineKind::Capacity, colors.ground()));
    for (int i = 0; i < canvas().graphCount(); ++i)
        canvas().graph(i)->setPen(QPen(colorOf(m_shown[static_cast<std::size_t>(i)]), 1.5));
    m_overlay->setColors(colors);
    nameLines();
    refresh();
}

void SeriesChart::setTrace(std::shared_ptr<const Trace> trace, const std::vector<std::size_t>& order)
{
    m_trace = std::move(trace);
    m_seriesColors.assign(m_trace ? m_trace->counters.size() : 0, themedSeriesColor(0));
    if (m_trace) {
        const std::vector<ThemedColor> colors = seriesColors(*m_trace, order);
        for (std::size_t place = 0; place < order.size(); ++place)
            m_seriesColors[order[place]] = colors[place];
    }
    setShown({});
}

bool SeriesChart::hasLine() const
{
    return std::ranges::any_of(m_shown, [this](std::size_t index) {
        const CounterSeries& series = m_trace->counters[index];
        std::optional<double> first;
        for (std::size_t i = 0; i < series.points(); ++i) {
            if (!isPlaced(series, i) || !std::isfinite(series.value[i]))
                continue;
            if (first && xOf(series, i) != *first)
                return true;
            first = xOf(series, i);
        }
        return false;
    });
}

bool SeriesChart::isPlaced(const CounterSeries& series, std::size_t point) const
{
    switch (m_axis) {
    case Axis::Step: return series.stepAt(point) != CounterSeries::kNoStep;
    case Axis::Time: return series.timeAt(point) > 0;
    case Axis::Line: break;
    }
    return true;
}

double SeriesChart::xOf(const CounterSeries& series, std::size_t point) const
{
    switch (m_axis) {
    case Axis::Step: return static_cast<double>(series.stepAt(point));
    case Axis::Time: return static_cast<double>(series.timeAt(point) - m_firstTime);
    case Axis::Line: break;
    }
    const std::uint64_t line = series.lineAt(point);
    return line > 0 ? static_cast<double>(line) : static_cast<double>(point);
}

void SeriesChart::chooseAxis()
{
    std::size_t points = 0;
    std::size_t stepped = 0;
    std::size_t timed = 0;
    m_firstTime = std::numeric_limits<Nanoseconds>::max();
    for (const std::size_t index : m_shown) {
        const CounterSeries& series = m_trace->counters[index];
        for (std::size_t i = 0; i < series.points(); ++i) {
            ++points;
            stepped += series.stepAt(i) != CounterSeries::kNoStep;
            if (const Nanoseconds time = series.timeAt(i); time > 0) {
                ++timed;
                m_firstTime = std::min(m_firstTime, time);
            }
        }
    }
    m_axis = 2 * stepped > points ? Axis::Step : 2 * timed > points ? Axis::Time : Axis::Line;
    canvas().xAxis->setLabel(m_axis == Axis::Step ? tr("step")
            : m_axis == Axis::Time                ? tr("time since the first point")
                                                  : tr("line of the log"));
    setTicks(*canvas().xAxis, m_axis == Axis::Time ? durationTicks : countTicks);
    const bool isInBytes = !m_shown.empty() && m_trace->counters[m_shown.front()].unit == "bytes";
    if (isInBytes)
        setTicks(*canvas().yAxis, byteTicks);
    else
        canvas().yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    // The ticks of bytes have their unit.
    canvas().yAxis->setLabel(
        m_shown.empty() || isInBytes ? QString() : toQString(m_trace->counters[m_shown.front()].unit));
}

void SeriesChart::setShown(const std::vector<std::size_t>& series)
{
    m_shown = series;
    canvas().clearGraphs();
    for (const std::size_t index : m_shown) {
        QCPGraph* line = canvas().addGraph();
        line->setPen(QPen(colorOf(index), 1.5));
        line->setAdaptiveSampling(false);
        if (m_trace->counters[index].points() <= 60)
            line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 5));
    }
    if (m_trace)
        chooseAxis();
    placeNotes();
    placeFailures();
    nameLines();
    fitAll();
}

void SeriesChart::fitAll()
{
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    double top = 0;
    double bottom = 0;
    for (const std::size_t index : m_shown) {
        const CounterSeries& series = m_trace->counters[index];
        for (std::size_t i = 0; i < series.points(); ++i) {
            if (!isPlaced(series, i) || !std::isfinite(series.value[i]))
                continue;
            left = std::min(left, xOf(series, i));
            right = std::max(right, xOf(series, i));
            top = std::max(top, series.value[i]);
            bottom = std::min(bottom, series.value[i]);
        }
    }
    if (left > right)
        left = right = 0;
    for (const SeriesOverlay::Failure& failure : m_overlay->failures()) {
        left = std::min(left, failure.x);
        right = std::max(right, failure.x);
    }
    const double margin = right > left ? (right - left) * 0.02
        : m_axis == Axis::Time         ? kNanosecondsPerSecond
                                       : 1;
    canvas().yAxis->setRange(bottom * kHeadroom, top > 0 ? top * kHeadroom : 1);
    canvas().xAxis->setRange(left - margin, right + margin);
    fillGraphs();
}

void SeriesChart::fillGraphs()
{
    m_isFilling = true;
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        const CounterSeries& series = m_trace->counters[m_shown[i]];
        std::vector<QCPGraphData> placed;
        for (std::size_t point = 0; point < series.points(); ++point)
            if (isPlaced(series, point) && std::isfinite(series.value[point]))
                placed.emplace_back(xOf(series, point), series.value[point]);
        QVector<QCPGraphData> points;
        for (const std::size_t point : pixelExtremes(
                 placed.size(), [&](std::size_t k) { return canvas().xAxis->coordToPixel(placed[k].key); },
                 [&](std::size_t k) { return placed[k].value; }))
            points << placed[point];
        canvas().graph(static_cast<int>(i))->data()->set(points, false);
    }
    m_isFilling = false;
    refresh();
}

void SeriesChart::setCapacity(std::optional<Bytes> capacity)
{
    const bool isInBytes = !m_shown.empty() && m_trace->counters[m_shown.front()].unit == "bytes";
    m_capacity->setVisible(isInBytes && capacity);
    m_overlay->setCapacity({});
    if (isInBytes && capacity) {
        const auto y = static_cast<double>(*capacity);
        m_capacity->point1->setCoords(0, y);
        m_capacity->point2->setCoords(1, y);
        m_overlay->setCapacity(SeriesOverlay::LineEnd{0, y, tr("GPU %1").arg(bytesText(*capacity)), {}});
        canvas().yAxis->setRangeUpper(std::max(canvas().yAxis->range().upper, y * kHeadroom));
    }
    refresh();
}

void SeriesChart::markLogLine(std::uint64_t line)
{
    m_mark->setVisible(false);
    double nearestDistance = std::numeric_limits<double>::max();
    for (const std::size_t index : m_shown) {
        const CounterSeries& series = m_trace->counters[index];
        for (std::size_t i = 0; i < series.points() && line > 0; ++i) {
            const double distance
                = std::abs(static_cast<double>(series.lineAt(i)) - static_cast<double>(line));
            if (series.lineAt(i) == 0 || distance >= nearestDistance || !isPlaced(series, i))
                continue;
            nearestDistance = distance;
            const double x = xOf(series, i);
            m_mark->point1->setCoords(x, 0);
            m_mark->point2->setCoords(x, 1);
            m_mark->setVisible(true);
        }
    }
    refresh();
}

void SeriesChart::clickAt(QMouseEvent* event)
{
    double nearestDistance = kClickRadius;
    std::optional<std::pair<std::size_t, std::size_t>> nearest;
    for (const std::size_t index : m_shown) {
        const CounterSeries& series = m_trace->counters[index];
        for (std::size_t i = 0; i < series.points(); ++i) {
            if (!isPlaced(series, i))
                continue;
            const QPointF place(
                canvas().xAxis->coordToPixel(xOf(series, i)), canvas().yAxis->coordToPixel(series.value[i]));
            const double distance = QLineF(place, event->pos()).length();
            if (distance < nearestDistance) {
                nearestDistance = distance;
                nearest = {index, i};
            }
        }
    }
    if (nearest)
        emit pointClicked(nearest->first, nearest->second);
}

} // namespace highwater::gui

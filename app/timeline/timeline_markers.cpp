#include "app/timeline/timeline_markers.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/usage/peak_so_far.h"

namespace highwater::gui {

namespace {

QSizeF labelSize(const QPainter& painter, const QString& text)
{
    const QFontMetricsF metrics(painter.font(), painter.device());
    return {metrics.horizontalAdvance(text) + 8, metrics.height() + 2};
}

} // namespace

TimelineMarkers::TimelineMarkers(QCustomPlot* plot)
    : QCPLayerable(plot, QStringLiteral("overlay"))
    , m_colors(ThemeColors::light())
{
}

void TimelineMarkers::setAnalysis(
    std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const EventScale> scale)
{
    m_analysis = std::move(analysis);
    m_scale = std::move(scale);
}

void TimelineMarkers::applyDefaultAntialiasingHint(QCPPainter* painter) const
{
    painter->setAntialiasing(false);
}

void TimelineMarkers::draw(QCPPainter* painter)
{
    if (!m_analysis)
        return;
    const EventScale& scale = *m_scale;
    LabelPlacer labels(m_area.rect);
    for (const QRectF& place : m_taken)
        labels.avoid(place);
    painter->setFont(mParentPlot->font());
    drawStepLines(painter);
    drawPeakSoFar(painter);
    drawCapacity(painter);
    drawEventLines(painter);
    labelPeak(painter, labels);
    labelOutOfMemory(painter, labels);
    labelCompared(painter, labels);
    if (const std::optional<double> x = peakX())
        labels.avoidLine(*x);
    for (const OomEvent& oom : m_analysis->figures.ooms)
        labels.avoidLine(m_area.toX(middleOf(oom.event)));
    labelCapacity(painter, labels);
    labelReserved(painter, scale, labels);
    labelPeakSoFar(painter, scale, labels);
}

double TimelineMarkers::middleOf(std::int64_t event) const
{
    return m_scale->positionOf(event) + (m_scale->kind() == AxisKind::Event ? 0.5 : 0);
}

void TimelineMarkers::drawLabel(
    QCPPainter* painter, const QRectF& rect, const QString& text, const QColor& color) const
{
    if (rect.isEmpty())
        return;
    QColor behind = m_colors.surface;
    behind.setAlpha(225);
    painter->fillRect(rect, behind);
    painter->setPen(color);
    painter->drawText(rect, Qt::AlignCenter, text);
}

bool TimelineMarkers::isInView(double x) const
{
    return x >= m_area.rect.left() && x <= m_area.rect.right();
}

std::optional<double> TimelineMarkers::peakX() const
{
    const DeviceFigures& figures = m_analysis->figures;
    const double x = m_area.toX(middleOf(figures.peakEvent));
    return figures.peakBytes > 0 && figures.events > 0 && isInView(x) ? std::optional(x) : std::nullopt;
}

void TimelineMarkers::drawStepLines(QCPPainter* painter) const
{
    constexpr double narrowest = 6;
    const auto first = std::lower_bound(m_stepLines.begin(), m_stepLines.end(), m_area.xBegin);
    const auto last = std::upper_bound(first, m_stepLines.end(), m_area.xEnd);
    if (static_cast<double>(last - first) * narrowest > m_area.rect.width())
        return;
    painter->setPen(linePen(LineKind::StepBoundary, m_colors.dark));
    for (auto place = first; place != last; ++place) {
        const double x = m_area.toX(*place);
        painter->drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
    }
}

std::optional<double> TimelineMarkers::comparedX() const
{
    if (!m_comparedEvent || *m_comparedEvent == m_analysis->figures.peakEvent)
        return std::nullopt;
    const double x = m_area.toX(middleOf(*m_comparedEvent));
    return isInView(x) ? std::optional(x) : std::nullopt;
}

void TimelineMarkers::labelCompared(QCPPainter* painter, LabelPlacer& labels) const
{
    const std::optional<double> x = comparedX();
    if (!x)
        return;
    const QString text = QStringLiteral("compared: %1 · %2")
                             .arg(lowerBoundText(*m_analysis, m_analysis->curve.at(*m_comparedEvent)),
                                 eventText(*m_comparedEvent));
    drawLabel(painter, labels.besideLine(*x, m_area.rect.top() + 2, labelSize(*painter, text), 3), text,
        m_colors.accent);
}

/// The vertical lines, before any label: none crosses a label out.
void TimelineMarkers::drawEventLines(QCPPainter* painter) const
{
    constexpr double half = 5;
    const double top = m_area.rect.top();
    const auto drawLine
        = [&](double x) { painter->drawLine(QPointF(x, top), QPointF(x, m_area.rect.bottom())); };
    const auto drawArrow = [&](double x, double tip, const QColor& color) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawPolygon(QPolygonF(
            {QPointF(x - half, tip - 2 * half), QPointF(x + half, tip - 2 * half), QPointF(x, tip)}));
    };
    if (const std::optional<double> x = peakX()) {
        const double y = m_area.toY(static_cast<double>(m_analysis->figures.peakBytes));
        drawArrow(*x, std::max(top + 2 * half, y - 1), m_colors.text);
    }
    if (const std::optional<double> x = comparedX()) {
        painter->setPen(QPen(m_colors.accent, 1, Qt::DashLine));
        drawLine(*x);
    }
    for (const OomEvent& oom : m_analysis->figures.ooms) {
        const double x = m_area.toX(middleOf(oom.event));
        if (!isInView(x))
            continue;
        painter->setPen(linePen(LineKind::OutOfMemory, m_colors.dark));
        drawLine(x);
        drawArrow(x, top + 2 * half, m_colors.danger);
    }
}

void TimelineMarkers::labelPeak(QCPPainter* painter, LabelPlacer& labels) const
{
    const std::optional<double> x = peakX();
    if (!x)
        return;
    const DeviceFigures& figures = m_analysis->figures;
    const QString text
        = QStringLiteral("peak %1 · %2")
              .arg(lowerBoundText(*m_analysis, figures.peakBytes), eventText(figures.peakEvent));
    drawLabel(painter, labels.besideLine(*x, m_area.rect.top() + 2, labelSize(*painter, text), 3), text,
        m_colors.text);
}

void TimelineMarkers::labelOutOfMemory(QCPPainter* painter, LabelPlacer& labels) const
{
    for (const OomEvent& oom : m_analysis->figures.ooms) {
        const double x = m_area.toX(middleOf(oom.event));
        if (!isInView(x))
            continue;
        const QString text = QStringLiteral("out of memory: %1 wanted").arg(bytesText(oom.requestedBytes));
        drawLabel(painter, labels.besideLine(x, m_area.rect.top() + 2, labelSize(*painter, text), 5), text,
            m_colors.danger);
    }
}

/// Over the visible range.
StepLine TimelineMarkers::reservedLine(const EventScale& scale) const
{
    const auto& changes = m_analysis->curve.reservedChanges();
    const std::int64_t first = scale.eventAt(m_area.xBegin);
    const auto from = std::upper_bound(changes.begin(), changes.end(), first,
        [](std::int64_t event, const UsageCurve::ReservedChange& c) { return event < c.event; });
    PixelSteps steps(
        m_area.rect.left(), m_area.toY(static_cast<double>(m_analysis->curve.reservedAt(first))));
    for (auto change = from; change != changes.end(); ++change) {
        const double x = m_area.toX(scale.positionOf(change->event));
        if (x > m_area.rect.right())
            break;
        steps.stepTo(x, m_area.toY(static_cast<double>(change->bytes)));
    }
    return steps.endAt(m_area.rect.right());
}

void TimelineMarkers::drawReserved(QCPPainter* painter) const
{
    if (!m_analysis || m_analysis->curve.reservedPeak() <= 0)
        return;
    const StepLine line = reservedLine(*m_scale);
    for (const QLineF& level : line.levels)
        painter->fillRect(QRectF(level.p1(), QPointF(level.x2(), m_area.rect.bottom())), m_colors.reserved);
    painter->setPen(linePen(LineKind::Reserved, m_colors.dark));
    painter->drawLines(line.jumps);
    painter->drawLines(line.levels);
}

void TimelineMarkers::labelReserved(QCPPainter* painter, const EventScale& scale, LabelPlacer& labels) const
{
    const Bytes atEnd = m_analysis->curve.reservedAt(scale.eventAt(m_area.xEnd));
    const double y = m_area.toY(static_cast<double>(atEnd));
    if (m_analysis->curve.reservedPeak() <= 0 || y < m_area.rect.top() || y > m_area.rect.bottom())
        return;
    const QString text = QStringLiteral("reserved ") + bytesText(atEnd);
    drawLabel(painter, labels.atRightEnd(y, labelSize(*painter, text)), text, m_colors.quietText);
}

StepLine TimelineMarkers::peakSoFarLine() const
{
    StepLine line;
    const double pixels = mParentPlot->bufferDevicePixelRatio();
    const int width = qRound(m_area.rect.width() * pixels);
    const std::vector<Bytes> peaks = peakSoFar(
        m_analysis->curve, pixelColumns(m_analysis->curve, *m_scale, m_area.xBegin, m_area.xEnd, width));
    const auto xOf
        = [&](std::size_t column) { return m_area.rect.left() + static_cast<double>(column) / pixels; };
    for (std::size_t first = 0; first < peaks.size();) {
        std::size_t last = first + 1;
        while (last < peaks.size() && peaks[last] == peaks[first])
            ++last;
        const double y = m_area.toY(static_cast<double>(peaks[first]));
        if (!line.levels.isEmpty())
            line.jumps << QLineF(xOf(first), line.levels.back().y1(), xOf(first), y);
        line.levels << QLineF(xOf(first), y, xOf(last), y);
        first = last;
    }
    return line;
}

void TimelineMarkers::drawPeakSoFar(QCPPainter* painter) const
{
    if (!m_showsPeakSoFar || m_analysis->figures.events == 0)
        return;
    const StepLine line = peakSoFarLine();
    painter->setPen(QPen(m_colors.text, 1));
    painter->drawLines(line.jumps);
    painter->drawLines(line.levels);
}

void TimelineMarkers::labelPeakSoFar(QCPPainter* painter, const EventScale& scale, LabelPlacer& labels) const
{
    // Where the peak itself is in view its own label says the figure.
    if (!m_showsPeakSoFar || m_analysis->figures.events == 0 || peakX())
        return;
    const std::int64_t last
        = std::min(scale.firstEventFrom(m_area.xEnd), m_analysis->allocations.eventCount());
    const Bytes bytes = m_analysis->curve.peak(-1, last).bytes;
    const double y = m_area.toY(static_cast<double>(bytes));
    if (y < m_area.rect.top() || y > m_area.rect.bottom())
        return;
    const QString text = QStringLiteral("peak so far ") + lowerBoundText(*m_analysis, bytes);
    drawLabel(painter, labels.atRightEnd(y, labelSize(*painter, text)), text, m_colors.text);
}

std::optional<double> TimelineMarkers::capacityY() const
{
    if (!m_capacity)
        return std::nullopt;
    const double y = m_area.toY(static_cast<double>(m_capacity->bytes));
    return y >= m_area.rect.top() && y <= m_area.rect.bottom() ? std::optional(y) : std::nullopt;
}

void TimelineMarkers::drawCapacity(QCPPainter* painter) const
{
    const std::optional<double> y = capacityY();
    if (!y)
        return;
    painter->setPen(linePen(LineKind::Capacity, m_colors.dark));
    painter->drawLine(QPointF(m_area.rect.left(), *y), QPointF(m_area.rect.right(), *y));
}

void TimelineMarkers::labelCapacity(QCPPainter* painter, LabelPlacer& labels) const
{
    const std::optional<double> y = capacityY();
    if (!y)
        return;
    const QString text = QStringLiteral("capacity ") + toQString(toText(*m_capacity));
    drawLabel(painter, labels.atRightEnd(*y, labelSize(*painter, text)), text, m_colors.text);
}

} // namespace highwater::gui

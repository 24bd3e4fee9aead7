#include "app/timeline/timeline_markers.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/parts/label_recorder.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/usage/peak_so_far.h"

namespace highwater::gui {

namespace {

constexpr double kHalfMarker = 5;
constexpr double kMarkerHeight = 7;

QSizeF labelSize(const QPainter& painter, const QString& text)
{
    const QFontMetricsF metrics(painter.font(), painter.device());
    return {std::ceil(metrics.horizontalAdvance(text)), std::ceil(metrics.height())};
}

} // namespace

TimelineMarkers::TimelineMarkers(QCustomPlot* plot, const BandPlottable& bands)
    : QCPLayerable(plot, QStringLiteral("overlay"))
    , m_bands(bands)
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

/// Returns the plot with a row of labels above it, which is free at any height of the data.
QRectF TimelineMarkers::labelArea() const
{
    return m_area.rect.adjusted(0, -std::ceil(QFontMetricsF(m_font).height()), 0, 0);
}

/// Returns the area, with room at its sides for the triangle of an event at the very edge.
QRect TimelineMarkers::clipRect() const
{
    return labelArea().adjusted(-kHalfMarker, 0, kHalfMarker, 0).toAlignedRect();
}

/// Takes the maximum of all columns of the picture between the two x, so it is exact while the picture shows
/// the view.
double TimelineMarkers::dataTop(double left, double right) const
{
    if (!m_image)
        return m_area.rect.bottom();
    const auto& columns = m_image->raster.columns;
    const BandRequest& request = m_image->request;
    const double columnsPerKey = request.width / (request.xEnd - request.xBegin);
    const auto indexOf = [&](double x) {
        const double index = std::floor((m_area.keyAt(x) - request.xBegin) * columnsPerKey);
        return static_cast<std::size_t>(std::clamp<double>(index, 0, request.width - 1));
    };
    if (columns.empty())
        return m_area.rect.bottom();
    Bytes highest = 0;
    for (std::size_t column = indexOf(left); column <= indexOf(right); ++column)
        highest = std::max(highest, columns[column].bytes);
    return std::clamp(m_area.toY(static_cast<double>(highest)), m_area.rect.top(), m_area.rect.bottom());
}

std::pair<double, double> TimelineMarkers::clearRows(double left, double right) const
{
    return {m_area.rect.top(), dataTop(left, right)};
}

bool TimelineMarkers::isFreeOfLabels(const QRectF& place) const
{
    const auto intersects = [&](const QRectF& other) { return other.intersects(place); };
    return std::ranges::none_of(m_labels, intersects) && std::ranges::none_of(m_taken, intersects);
}

void TimelineMarkers::draw(QCPPainter* painter)
{
    if (!m_analysis)
        return;
    LabelPlacer labels(labelArea(), [this](double left, double right) { return dataTop(left, right); });
    for (const QRectF& place : m_taken)
        labels.avoid(place);
    const auto avoidLine = [&](const StepLine& line) {
        for (const QRectF& box : boxesAround(line, m_area.rect))
            labels.avoid(box);
    };
    m_labels.clear();
    painter->setFont(m_font);
    avoidLine(drawPeakSoFar(painter));
    drawCapacity(painter);
    m_marks = findMarks();
    drawMarkers(painter);
    m_reserved = m_analysis->curve.reservedPeak() > 0 ? reservedLine() : StepLine();
    avoidLine(m_reserved);
    if (const std::optional<double> y = capacityY())
        labels.avoid(QRectF(m_area.rect.left(), *y - 1, m_area.rect.width(), 2));
    for (const Mark& mark : m_marks)
        labels.avoidMarker(mark.box);
    for (const Mark& mark : m_marks)
        labelMark(painter, mark, labels);
    labelCapacity(painter, labels);
    labelPeakSoFar(painter, labels);
    labelSteps(painter, labels);
    drawStepBoundaries(painter);
}

double TimelineMarkers::middleOf(std::int64_t event) const
{
    return m_scale->positionOf(event) + (m_scale->kind() == AxisKind::Event ? 0.5 : 0);
}

/// Returns the colour under a label, which crosses neither data nor the line of reserved bytes.
QColor TimelineMarkers::groundOf(const QRectF& label) const
{
    const bool isReserved = std::ranges::any_of(m_reserved.levels, [&](const QLineF& level) {
        return level.x1() < label.right() && level.x2() > label.left() && level.y1() <= label.top();
    });
    return isReserved ? m_colors.reserved : m_colors.surface;
}

/// Draws a label on its ground, so that no grid line crosses it out; nothing if the rectangle is empty.
void TimelineMarkers::drawLabel(
    QCPPainter* painter, const QRectF& rect, const QString& text, const QColor& color) const
{
    if (rect.isEmpty())
        return;
    m_labels.push_back(rect);
    const QColor ground = groundOf(rect);
    painter->fillRect(rect, ground);
    painter->setPen(color);
    painter->drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({text, rect, labelArea(), color, ground, text});
}

bool TimelineMarkers::isInView(double x) const
{
    return x >= m_area.rect.left() && x <= m_area.rect.right();
}

std::optional<double> TimelineMarkers::peakX() const
{
    const DeviceFigures& figures = m_analysis->figures;
    const double x = m_area.toX(middleOf(figures.peakEvent));
    return figures.peakBytes > 0 && figures.eventCount > 0 && isInView(x) ? std::optional(x) : std::nullopt;
}

/// Draws the step boundaries, leaving gaps at labels and markers, so paint those first.
void TimelineMarkers::drawStepBoundaries(QCPPainter* painter) const
{
    constexpr double narrowest = 6;
    const auto first = std::lower_bound(m_stepLines.begin(), m_stepLines.end(), m_area.xBegin);
    const auto last = std::upper_bound(first, m_stepLines.end(), m_area.xEnd);
    if (static_cast<double>(last - first) * narrowest > m_area.rect.width())
        return;
    if (first == last)
        return;
    QRegion clear(m_area.rect.toAlignedRect());
    for (const std::vector<QRectF>& labels : {m_labels, m_bands.labelPlaces()})
        for (const QRectF& label : labels)
            clear -= label.toAlignedRect();
    for (const Mark& mark : m_marks)
        clear -= mark.box.toAlignedRect();
    painter->save();
    painter->setClipRegion(clear, Qt::IntersectClip);
    painter->setPen(linePen(LineKind::StepBoundary, m_colors.ground()));
    for (auto place = first; place != last; ++place) {
        const double x = m_area.toX(*place);
        painter->drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
    }
    painter->restore();
}

std::optional<double> TimelineMarkers::comparedX() const
{
    if (!m_comparedEvent || *m_comparedEvent == m_analysis->figures.peakEvent)
        return std::nullopt;
    const double x = m_area.toX(middleOf(*m_comparedEvent));
    return isInView(x) ? std::optional(x) : std::nullopt;
}

/// Returns the moments that are marked with a triangle, the one with the peak's figure first. Of failures
/// whose triangles would meet, the first is marked. A failure next to the peak has the peak's figure if its
/// total is the same; else it is marked at its own total, which its label has.
std::vector<TimelineMarkers::Mark> TimelineMarkers::findMarks() const
{
    const DeviceFigures& figures = m_analysis->figures;
    std::vector<Mark> marks;
    for (const OomEvent& oom : figures.ooms) {
        const QRectF box = markerRect(oom.event);
        if (isInView(m_area.toX(middleOf(oom.event))) && (marks.empty() || !marks.back().box.intersects(box)))
            marks.push_back({oom.event, box, m_colors.danger, {QStringLiteral("out of memory")}});
    }
    if (!peakX())
        return marks;
    const QString bytes = runPeakText(*m_analysis, figures.peakBytes);
    const QString name = toQString(nameOfHighest(m_analysis->study));
    const QString text = QStringLiteral("%1 %2").arg(name, bytes);
    const QRectF peakBox = markerRect(figures.peakEvent);
    const auto failure
        = std::ranges::find_if(marks, [&](const Mark& mark) { return mark.box.intersects(peakBox); });
    const UsageCurve& curve = m_analysis->curve;
    const auto totalAt = [&](std::int64_t event) { return formatBytes(curve.at(event)); };
    if (failure != marks.end() && totalAt(failure->event) == totalAt(figures.peakEvent)) {
        failure->texts = {QStringLiteral("out of memory · ") + text, text, bytes};
        failure->hasPeak = true;
        std::rotate(marks.begin(), failure, std::next(failure));
        return marks;
    }
    if (failure != marks.end()) {
        const Bytes total = curve.at(failure->event);
        failure->box.moveBottom(std::max(peakBox.bottom(), m_area.toY(static_cast<double>(total)) - 1));
        failure->texts = {QStringLiteral("out of memory at ") + totalText(*m_analysis, total)};
        failure->isNextToPeak = true;
    }
    marks.insert(
        marks.begin(), Mark{figures.peakEvent, peakBox, m_colors.text, {text, bytes}, /*hasPeak=*/true});
    return marks;
}

/// Returns the triangle's rectangle: on the data, or above the plot if the data reaches its top.
QRectF TimelineMarkers::markerRect(std::int64_t event) const
{
    const double x = m_area.toX(middleOf(event));
    const double tip = std::max(m_area.rect.top(),
        std::min(m_area.toY(static_cast<double>(m_analysis->curve.at(event))), dataTop(x - 1, x + 1)) - 1);
    return {x - kHalfMarker, tip - kMarkerHeight, 2 * kHalfMarker, kMarkerHeight};
}

/// Draws the markers of events. Call before the labels, so that no label is crossed out. Only the line of the
/// compared moment crosses the data.
void TimelineMarkers::drawMarkers(QCPPainter* painter) const
{
    if (const std::optional<double> x = comparedX()) {
        painter->setPen(QPen(m_colors.accent, 1, Qt::DashLine));
        painter->drawLine(QPointF(*x, m_area.rect.top()), QPointF(*x, m_area.rect.bottom()));
    }
    for (const Mark& mark : m_marks) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(mark.color);
        painter->drawPolygon(QPolygonF(
            {mark.box.topLeft(), mark.box.topRight(), QPointF(mark.box.center().x(), mark.box.bottom())}));
    }
}

/// Labels a mark next to its triangle with its longest text that fits. Only the peak's figure, and that of a
/// failure next to it, may be farther away; the lane above has the figures of other failures.
void TimelineMarkers::labelMark(QCPPainter* painter, const Mark& mark, LabelPlacer& labels) const
{
    const double x = m_area.toX(middleOf(mark.event));
    const double bottom = mark.box.bottom();
    if (mark.hasPeak)
        painter->setFont(boldOf(m_font));
    for (const auto place : {&LabelPlacer::besideMarker, &LabelPlacer::nearMarker}) {
        if (place == &LabelPlacer::nearMarker && !mark.hasPeak && !mark.isNextToPeak)
            break;
        for (const QString& text : mark.texts) {
            const QRectF rect = (labels.*place)(x, bottom, labelSize(*painter, text));
            if (rect.isEmpty())
                continue;
            drawLabel(painter, rect, text, mark.color);
            painter->setFont(m_font);
            return;
        }
    }
    painter->setFont(m_font);
}

/// Says in the topmost free row on the right what the columns show if steps are too narrow to be drawn by
/// event.
void TimelineMarkers::labelSteps(QCPPainter* painter, LabelPlacer& labels) const
{
    constexpr double rowStep = 4;
    if (!m_image || m_image->stepsPerGroup == 0)
        return;
    const QString text = QStringLiteral("▮ each column: %1 of %2 steps, pale above the lowest peak, ━ median")
                             .arg(countText(static_cast<qint64>(m_image->stepsPerGroup)),
                                 countText(static_cast<qint64>(m_analysis->steps.completeCount())));
    const QSizeF size = labelSize(*painter, text);
    QRectF place;
    for (double top = m_area.rect.top(); place.isEmpty() && top < m_area.rect.center().y(); top += rowStep)
        place = labels.aboveLineRight(top + size.height() + 1, size);
    drawLabel(painter, place, text, m_colors.quietText);
}

StepLine TimelineMarkers::peakSoFarLine() const
{
    const double pixels = mParentPlot->bufferDevicePixelRatio();
    const int width = qRound(m_area.rect.width() * pixels);
    const std::vector<Bytes> peaks = peakSoFar(
        m_analysis->curve, pixelColumns(m_analysis->curve, *m_scale, m_area.xBegin, m_area.xEnd, width));
    return lineOfColumns(peaks, m_area, pixels);
}

/// Draws the line of the peak so far, if it is shown, and returns it.
StepLine TimelineMarkers::drawPeakSoFar(QCPPainter* painter) const
{
    if (!m_showsPeakSoFar || m_analysis->figures.eventCount == 0)
        return {};
    StepLine line = peakSoFarLine();
    painter->setPen(QPen(m_colors.text, 1));
    painter->drawLines(line.jumps);
    painter->drawLines(line.levels);
    return line;
}

void TimelineMarkers::labelPeakSoFar(QCPPainter* painter, LabelPlacer& labels) const
{
    // If the peak is in view, its own label has the figure.
    if (!m_showsPeakSoFar || m_analysis->figures.eventCount == 0 || peakX())
        return;
    const std::int64_t last
        = std::min(m_scale->firstEventFrom(m_area.xEnd), m_analysis->allocations.eventCount());
    const Bytes bytes = m_analysis->curve.peak(-1, last).bytes;
    const double y = m_area.toY(static_cast<double>(bytes));
    if (y < m_area.rect.top() || y > m_area.rect.bottom())
        return;
    const QString text = QStringLiteral("peak so far ") + totalText(*m_analysis, bytes);
    drawLabel(painter, labels.aboveLineRight(y, labelSize(*painter, text)), text, m_colors.text);
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
    painter->setPen(linePen(LineKind::Capacity, m_colors.ground()));
    painter->drawLine(QPointF(m_area.rect.left(), *y), QPointF(m_area.rect.right(), *y));
}

void TimelineMarkers::labelCapacity(QCPPainter* painter, LabelPlacer& labels) const
{
    const std::optional<double> y = capacityY();
    if (!y)
        return;
    const QString text = m_capacity->gpu.empty()
        ? toQString(lineLabel(*m_capacity))
        : QStringLiteral("%1 · %2").arg(toQString(m_capacity->gpu), bytesText(m_capacity->bytes));
    drawLabel(painter, labels.aboveLine(*y, labelSize(*painter, text)), text, m_colors.quietText);
}

} // namespace highwater::gui

#include "app/timeline/overview_strip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include "app/timeline/parts/wheel_zoom.h"
#include "app/workspace/theme/note_badge.h"
#include "core/figure/raster/step_columns.h"

namespace highwater::gui {

namespace {
constexpr double kEdgeGrip = 5;
constexpr double kSmallestWindow = 6;
constexpr double kFlagSize = 5;
/// Factor that leaves room above the peak or the capacity.
constexpr double kHeadroom = 1.05;

} // namespace

OverviewStrip::OverviewStrip(VisibleRange& range, QWidget* parent)
    : QWidget(parent)
    , m_visibleRange(range)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("overview"));
    setAccessibleName(tr("Overview of the whole trace"));
    setToolTip(tr("The whole trace. Drag the window to move the view, or its edges to resize it. Drag "
                  "elsewhere to zoom to that part."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    connect(&m_visibleRange, &VisibleRange::changed, this, qOverload<>(&QWidget::update));
}

void OverviewStrip::show(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis)
{
    if (!m_analysis || !analysis || m_analysis->trace != analysis->trace
        || m_analysis->device != analysis->device)
        m_notes.clear();
    m_analysis = std::move(analysis);
    m_axis = axis;
    drawCurve();
}

void OverviewStrip::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    drawCurve();
}

void OverviewStrip::setCapacity(std::optional<Bytes> capacity)
{
    if (m_capacity == capacity)
        return;
    m_capacity = capacity;
    drawCurve();
}

void OverviewStrip::setNotes(std::vector<TimelineNote> notes)
{
    m_notes = std::move(notes);
    drawCurve();
}

double OverviewStrip::topBytes() const
{
    const Bytes highest = std::max({m_analysis->curve.peak().bytes, m_capacity.value_or(0), Bytes{1}});
    return static_cast<double>(highest) * kHeadroom;
}

void OverviewStrip::setEdges(int left, int right)
{
    m_left = left;
    m_right = right;
    drawCurve();
}

QRectF OverviewStrip::curveRect() const
{
    return QRectF(m_left, 3, std::max(1, m_right - m_left), height() - 6);
}

double OverviewStrip::keyAt(double x) const
{
    const AxisWindow& axis = m_visibleRange.x();
    return axis.lowest + (x - curveRect().left()) / curveRect().width() * (axis.highest - axis.lowest);
}

double OverviewStrip::xOf(double key) const
{
    const AxisWindow& axis = m_visibleRange.x();
    return curveRect().left() + (key - axis.lowest) / (axis.highest - axis.lowest) * curveRect().width();
}

QRectF OverviewStrip::windowRect() const
{
    const QRectF curve = curveRect();
    double left = xOf(m_visibleRange.x().begin);
    double width = xOf(m_visibleRange.x().end) - left;
    if (width < kSmallestWindow) { // so that it stays visible and draggable
        left = std::clamp(
            left + width / 2 - kSmallestWindow / 2, curve.left(), curve.right() - kSmallestWindow);
        width = kSmallestWindow;
    }
    return QRectF(left, curve.top(), width, curve.height());
}

void OverviewStrip::drawCurve()
{
    update();
    m_curve = QPixmap();
    const AxisWindow& axis = m_visibleRange.x();
    if (!m_analysis || axis.highest <= axis.lowest)
        return;
    const QSize size = (curveRect().size() * devicePixelRatioF()).toSize();
    if (size.isEmpty()) // not laid out yet
        return;
    const EventScale& scale = m_analysis->scale(m_axis);
    const double top = topBytes();
    m_curve = QPixmap(size);
    m_curve.fill(m_colors.surface);
    QPainter painter(&m_curve);
    const auto rowsOf = [&](Bytes bytes) {
        return static_cast<int>(std::lround(static_cast<double>(bytes) / top * size.height()));
    };
    const auto fillUpTo = [&](int x, Bytes bytes, const QColor& color) {
        const int rows = rowsOf(bytes);
        painter.fillRect(x, size.height() - rows, 1, rows, color);
    };
    const QColor& solid = m_colors.reservedEdge;
    const QColor pale
        = QColor::fromRgb(mixed(solid.rgb() & 0xffffff, m_colors.surface.rgb() & 0xffffff, kPaleShare));
    const int pixel = std::max(1, qRound(devicePixelRatioF()));
    const StepColumns shown = stepColumns(
        m_analysis->curve, m_analysis->steps, scale, axis.lowest, axis.highest, size.width(), pixel);
    for (std::size_t i = 0; i < shown.columns.size(); ++i) {
        const auto x = static_cast<int>(i);
        fillUpTo(x, shown.columns[i].bytes, shown.spreads.empty() ? solid : pale);
        if (shown.spreads.empty())
            continue;
        fillUpTo(x, shown.spreads[i].lowest, solid);
        painter.fillRect(x, size.height() - rowsOf(shown.spreads[i].median), 1, pixel, m_colors.text);
    }
    if (m_capacity)
        painter.fillRect(0, size.height() - rowsOf(*m_capacity), size.width(), pixel, m_colors.text);
    drawNotes(painter);
    painter.end();
    m_curve.setDevicePixelRatio(devicePixelRatioF());
}

/// Draws a stroke with a small flag for each note, and a bar at the top for each range.
void OverviewStrip::drawNotes(QPainter& painter) const
{
    const EventScale& scale = m_analysis->scale(m_axis);
    const AxisWindow& axis = m_visibleRange.x();
    const double pixels = devicePixelRatioF();
    const auto x = [&](double event) {
        const auto wholeEvent = static_cast<std::int64_t>(event);
        const double key = wholeEvent < scale.eventCount() ? scale.positionOf(wholeEvent) : scale.end();
        return (key - axis.lowest) / (axis.highest - axis.lowest) * m_curve.width();
    };
    for (const TimelineNote& note : m_notes) {
        const QColor color = noteQColor(note.flag.color);
        const double left = x(note.flag.first);
        const double width = std::max(x(note.flag.last) - left, kFlagSize * pixels);
        painter.fillRect(QRectF(left, 0, pixels, m_curve.height()), color);
        painter.fillRect(QRectF(left, 0, width, kFlagSize * pixels), color);
    }
}

void OverviewStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    drawCurve();
}

void OverviewStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.surface);
    painter.fillRect(0, 0, width(), 1, m_colors.border);
    if (m_curve.isNull())
        return;
    const QRectF curve = curveRect();
    painter.drawPixmap(curve.topLeft(), m_curve);
    const QRectF window = windowRect();
    QColor veil = m_colors.surface;
    veil.setAlpha(170);
    painter.fillRect(QRectF(curve.topLeft(), QPointF(window.left(), curve.bottom())), veil);
    painter.fillRect(QRectF(QPointF(window.right(), curve.top()), curve.bottomRight()), veil);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_colors.accent, 1));
    painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
    drawBrush(painter);
}

void OverviewStrip::drawBrush(QPainter& painter) const
{
    if (!m_brush || !m_brush->isDragging)
        return;
    const auto [left, right] = std::minmax(m_brush->start, m_brush->current);
    const QRectF curve = curveRect();
    QColor tint = m_colors.accent;
    tint.setAlpha(70);
    painter.fillRect(QRectF(left, curve.top(), right - left, curve.height()), tint);
}

OverviewStrip::Part OverviewStrip::partAt(double x) const
{
    const QRectF window = windowRect();
    // In a narrow window half of the width is for moving, not for resizing.
    const double grip = std::min(kEdgeGrip, window.width() / 4);
    if (std::abs(x - window.left()) <= grip)
        return Part::LeftEdge;
    if (std::abs(x - window.right()) <= grip)
        return Part::RightEdge;
    // A window over the whole trace cannot be moved.
    const bool isInside = x > window.left() && x < window.right() && !m_visibleRange.x().isWhole();
    return isInside ? Part::Window : Part::None;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_analysis)
        return;
    const double key = keyAt(event->position().x());
    m_dragged = partAt(event->position().x());
    if (m_dragged == Part::None) {
        const double x = std::clamp(event->position().x(), curveRect().left(), curveRect().right());
        m_brush = Brush{x, x};
    }
    m_grabOffset = key - m_visibleRange.x().begin;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    if (m_brush) {
        const QRectF curve = curveRect();
        m_brush->current = std::clamp(event->position().x(), curve.left(), curve.right());
        m_brush->isDragging = m_brush->isDragging
            || std::abs(m_brush->current - m_brush->start) >= QApplication::startDragDistance();
        update();
        return;
    }
    const double key = keyAt(event->position().x());
    const AxisWindow& visible = m_visibleRange.x();
    switch (m_dragged) {
    case Part::Window: m_visibleRange.setX(key - m_grabOffset, key - m_grabOffset + visible.width()); return;
    case Part::LeftEdge:
        m_visibleRange.setX(std::min(key, visible.end - visible.narrowest), visible.end);
        return;
    case Part::RightEdge:
        m_visibleRange.setX(visible.begin, std::max(key, visible.begin + visible.narrowest));
        return;
    case Part::None: break;
    }
    const Part part = partAt(event->position().x());
    setCursor(part == Part::LeftEdge || part == Part::RightEdge ? Qt::SizeHorCursor
            : part == Part::Window                              ? Qt::OpenHandCursor
                                                                : Qt::CrossCursor);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragged = Part::None;
    if (!m_brush)
        return;
    const Brush brush = *std::exchange(m_brush, std::nullopt);
    const auto [left, right] = std::minmax({keyAt(brush.start), keyAt(brush.current)});
    const double half = m_visibleRange.x().width() / 2;
    if (brush.isDragging)
        m_visibleRange.setX(left, right);
    else
        m_visibleRange.setX(left - half, left + half);
    update();
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent*)
{
    m_visibleRange.fit();
}

void OverviewStrip::wheelEvent(QWheelEvent* event)
{
    m_visibleRange.zoomX(keyAt(event->position().x()), wheelZoomFactor(*event));
    event->accept();
}

} // namespace highwater::gui

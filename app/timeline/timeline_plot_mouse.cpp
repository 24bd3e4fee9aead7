#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <QApplication>

#include "app/timeline/cursor_overlay.h"
#include "app/timeline/hover_card.h"
#include "app/timeline/note_flags.h"
#include "app/timeline/parts/step_borders.h"
#include "app/timeline/parts/wheel_zoom.h"
#include "app/timeline/timeline_plot.h"
#include "app/workspace/document/auxiliary_sources.h"

// Mouse handling of the plot.

namespace highwater::gui {

namespace {
constexpr double kDoubleClickZoomFactor = 4;
/// Distance in pixels within which an end of a range snaps to a border of steps.
constexpr double kSnapReach = 6;
constexpr double kAlmostAll = 0.95; ///< share of the view: a step that fills as much is not zoomed to again
} // namespace

void TimelinePlot::wheelEvent(QWheelEvent* event)
{
    const PlotArea plotArea = area();
    const QPointF at = event->position();
    const double notches = event->angleDelta().y() / kWheelNotch;
    const double sideways = event->angleDelta().x() / kWheelNotch;
    const double factor = wheelZoomFactor(*event);
    if (event->modifiers() & Qt::ControlModifier)
        m_visibleRange.zoomY(plotArea.bytesAt(at.y()), factor);
    else if (event->modifiers() & Qt::ShiftModifier)
        panByNotches(notches + sideways);
    else if (sideways != 0 && notches == 0)
        panByNotches(sideways);
    else
        m_visibleRange.zoomX(plotArea.keyAt(at.x()), factor);
    event->accept();
}

/// Pans by whole pixels unless the distance is below one pixel. Columns that stay in view then show the same
/// moments as before and are reused.
void TimelinePlot::panByNotches(double notches)
{
    const double wanted = -notches * area().rect.width() / 16;
    const double pixels = std::abs(wanted) < 1 ? wanted : std::round(wanted);
    m_visibleRange.pan(pixels / area().rect.width() * m_visibleRange.x().width(), 0);
}

void TimelinePlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_notes->flagAt(event->position()))
        pressNote(event->position());
    else if (event->button() == Qt::LeftButton && area().rect.contains(event->position()))
        m_press = Press{event->position(), event->position(), false,
            event->modifiers().testFlag(Qt::ShiftModifier), event->modifiers().testFlag(Qt::AltModifier)};
    else if (event->button() == Qt::MiddleButton && area().rect.contains(event->position()))
        m_press = Press{event->position(), event->position(), false, false, false, Qt::MiddleButton};
    else if (event->button() == Qt::LeftButton && isOnAxis(event->position())) {
        m_press = Press{event->position(), event->position()};
        m_press->isOnAxis = true;
        moveCursorTo(event->position().x());
    }
    event->accept();
}

void TimelinePlot::mouseMoveEvent(QMouseEvent* event)
{
    m_mouse = event->position();
    if (m_notePress) {
        dragNote(event->position());
        return;
    }
    if (!m_press) {
        pointAt(*m_mouse);
        return;
    }
    if (m_press->isOnAxis) {
        moveCursorTo(event->position().x());
        return;
    }
    if (!m_press->isDragging
        && (event->position() - m_press->start).manhattanLength() >= QApplication::startDragDistance()) {
        m_press->isDragging = true;
        m_card->hide();
        setCursor(m_press->isMarking  ? Qt::SplitHCursor
                : m_press->isAligning ? Qt::SizeHorCursor
                                      : Qt::ClosedHandCursor);
    }
    if (m_press->isDragging && m_press->isMarking)
        markTo(event->position(), event->modifiers());
    else if (m_press->isDragging && m_press->isAligning)
        alignTo(event->position());
    else if (m_press->isDragging)
        dragTo(event->position());
}

/// Marks the events from the press to this position. An end near a border of steps snaps to it, so that whole
/// steps are easy to mark; Alt marks exactly what was dragged over.
void TimelinePlot::markTo(const QPointF& position, Qt::KeyboardModifiers modifiers)
{
    if (!m_analysis || m_analysis->allocations.eventCount() == 0)
        return;
    const PlotArea plotArea = area();
    const EventScale& scale = *m_scale;
    const double draggedTo = std::clamp(position.x(), plotArea.rect.left(), plotArea.rect.right());
    const auto [left, right] = std::minmax({m_press->start.x(), draggedTo});
    std::int64_t first = std::max<std::int64_t>(0, scale.eventAt(plotArea.keyAt(left)));
    std::int64_t end = std::max(first, scale.eventAt(plotArea.keyAt(right))) + 1;
    const StepTable& steps = m_analysis->steps;
    if (!modifiers.testFlag(Qt::AltModifier)) {
        const std::int64_t begins = stepBorderNear(steps, scale, plotArea, left, kSnapReach).value_or(first);
        const std::int64_t ends = stepBorderNear(steps, scale, plotArea, right, kSnapReach).value_or(end);
        if (begins < ends)
            std::tie(first, end) = std::pair(begins, ends);
    }
    m_selection.setRange(Selection::EventRange{first, end});
}

double TimelinePlot::zoomCentre() const
{
    const AxisWindow& x = m_visibleRange.x();
    return isPointedAt() ? area().keyAt(m_mouse->x()) : (x.begin + x.end) / 2;
}

/// Returns the nanoseconds from the first event to a position of the widget; on an axis without times, to the
/// event at that position.
double TimelinePlot::timeAt(double x) const
{
    const double key = area().keyAt(x);
    if (axisKind() == AxisKind::Time)
        return key;
    return m_analysis->scale(AxisKind::Time).positionOf(m_scale->eventAt(key));
}

void TimelinePlot::alignTo(const QPointF& position)
{
    const std::optional<std::size_t> source
        = m_auxiliarySources ? m_auxiliarySources->draggable() : std::nullopt;
    const double moved = m_analysis ? timeAt(position.x()) - timeAt(m_press->last.x()) : 0;
    m_press->last = position;
    if (source)
        m_auxiliarySources->setOffset(*source,
            m_auxiliarySources->sources()[*source].trace.offset
                + static_cast<Nanoseconds>(std::llround(moved)));
}

void TimelinePlot::dragTo(const QPointF& position)
{
    const PlotArea plotArea = area();
    const QPointF moved = position - m_press->last;
    m_press->last = position;
    m_visibleRange.pan(-moved.x() / plotArea.rect.width() * m_visibleRange.x().width(),
        moved.y() / plotArea.rect.height() * m_visibleRange.y().width());
}

void TimelinePlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_notePress)
        releaseNote();
    if (!m_press || event->button() != m_press->button)
        return;
    const bool isClick = !m_press->isDragging && !m_press->isOnAxis && m_press->button == Qt::LeftButton;
    m_press.reset();
    m_isMouseOnAxis = false;
    unsetCursor();
    if (!isClick)
        pointAt(event->position());
    else
        clickAt(event->position(), event->modifiers());
}

void TimelinePlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_notes->flagAt(event->position())
        || isOnAxis(event->position()))
        return;
    // The first click of the two was not meant as a click.
    m_selection.restore(m_beforeClick);
    zoomAtKey(m_clickKey);
}

/// Zooms to the step at this place of the x axis. If the step almost fills the view already, or if there is
/// none at this place, zooms by a fixed factor.
void TimelinePlot::zoomAtKey(double key)
{
    if (!m_analysis)
        return;
    const StepTable& table = m_analysis->steps;
    const auto step = table.source == StepSource::Whole ? std::nullopt : table.stepOf(eventAt(key));
    if (step) {
        const Step& target = table.steps[*step];
        const double begin = m_scale->positionOf(target.begin);
        const double end
            = target.end < m_scale->eventCount() ? m_scale->positionOf(target.end) : m_scale->end();
        if (end - begin < m_visibleRange.x().width() * kAlmostAll) {
            m_visibleRange.setX(begin, end);
            emit zoomedToStep();
            return;
        }
    }
    m_visibleRange.zoomX(key, 1 / kDoubleClickZoomFactor);
}

void TimelinePlot::leaveEvent(QEvent* event)
{
    PlotWidget::leaveEvent(event);
    m_mouse.reset();
    m_selection.hover(Selection::kNone);
    m_selection.setPointed(std::nullopt);
    redrawCursor();
    showCard();
    emit pointedAt(std::nullopt);
}

/// Hides the card under a resting mouse while the user types into a field.
void TimelinePlot::focusOutEvent(QFocusEvent* event)
{
    PlotWidget::focusOutEvent(event);
    const QWidget* const focus = QApplication::focusWidget();
    if (focus && focus != this && focus->testAttribute(Qt::WA_InputMethodEnabled))
        ignoreMouseUntilMoved();
}

/// True if the left button moves the cursor there: on the axis below the plot.
bool TimelinePlot::isOnAxis(const QPointF& position) const
{
    const QRectF plot = area().rect;
    return m_offersViewCommands && m_analysis && m_analysis->allocations.eventCount() > 0
        && position.y() > plot.bottom() && position.x() >= plot.left() && position.x() <= plot.right();
}

/// Moves the cursor to the event at this position of the widget, or at the nearest edge of the plot.
void TimelinePlot::moveCursorTo(double x)
{
    const PlotArea plotArea = area();
    const double inside = std::clamp(x, plotArea.rect.left(), plotArea.rect.right() - 1);
    const std::int64_t event = eventAt(plotArea.keyAt(inside + 0.5));
    if (event != kNoState)
        m_selection.setCursor(event);
}

/// Hovers what is at this position. The cursor stays.
void TimelinePlot::pointAt(const QPointF& position)
{
    const PlotArea plotArea = area();
    if (const bool isThere = isOnAxis(position); std::exchange(m_isMouseOnAxis, isThere) != isThere)
        isThere ? setCursor(Qt::PointingHandCursor) : unsetCursor();
    if (!m_analysis || !plotArea.rect.contains(position)) {
        m_selection.hover(Selection::kNone);
        m_selection.setPointed(std::nullopt);
        redrawCursor();
        showCard();
        emit pointedAt(std::nullopt);
        return;
    }
    // Adds half a pixel, because the middle of a pixel is safe from rounding at its edge.
    const double key = plotArea.keyAt(position.x() + 0.5);
    const double bytes = plotArea.bytesAt(position.y() + 0.5);
    const std::shared_ptr<const BandImage> shown = image();
    const std::int64_t event = eventAt(key);
    m_isPointing = true;
    m_selection.setPointed(event == kNoState ? std::nullopt : std::optional(event));
    m_selection.hover(shown ? shown->allocationAt(key, bytes) : Selection::kNone);
    m_isPointing = false;
    redrawCursor();
    showCard();
    emit pointedAt(key);
}

void TimelinePlot::clickAt(const QPointF& position, Qt::KeyboardModifiers modifiers)
{
    pointAt(position);
    m_beforeClick = m_selection.state();
    m_clickKey = area().keyAt(position.x() + 0.5);
    m_selection.pin(m_selection.hovered()); // releases beside the bands
    if (m_analysis && area().rect.contains(position))
        emit clickedAt(area().keyAt(position.x() + 0.5), modifiers);
}

} // namespace highwater::gui

#include <algorithm>
#include <utility>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "app/timeline/lane_painter.h"
#include "app/timeline/lane_strip.h"
#include "app/timeline/parts/step_menu.h"
#include "app/timeline/parts/wheel_zoom.h"
#include "app/workspace/tasks/qt_text.h"

// Mouse handling of the lanes.

namespace highwater::gui {

void LaneStrip::mousePressEvent(QMouseEvent* event)
{
    m_pressed.reset();
    m_zoom = nullptr;
    if (event->button() != Qt::LeftButton)
        return;
    if (const std::optional<Note> note = noteAt(event->position().toPoint()))
        toggleNote(note->kind);
    else if (const std::optional<Hit> hit = hitAt(event->position()))
        m_pressed = hit;
}

void LaneStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_pressed || event->button() != Qt::LeftButton)
        return;
    const Hit hit = *std::exchange(m_pressed, std::nullopt);
    const LaneRow& row = m_table->rows[hit.row];
    if (row.kind == LaneKind::Steps) {
        clickStep(hit, event->position(), event->modifiers());
        return;
    }
    const std::int64_t first = eventsOf(row, hit.piece).first;
    const std::int64_t last = std::max(eventsOf(row, hit.piece).second, first + 1);
    m_zoom = [this, first, last] { emit zoomTo(first, last); };
    emit eventsChosen(
        first, last, hit.piece.count == 1 ? toQString(row.items[hit.piece.first].label) : QString());
}

/// Selects a step, compares it with the selected one, or shows what it left behind if its end was clicked.
void LaneStrip::clickStep(const Hit& hit, const QPointF& position, Qt::KeyboardModifiers modifiers)
{
    const std::size_t step = stepOf(hit, position);
    const bool compares = modifiers.testFlag(Qt::ControlModifier);
    const bool isEnd = endOf(hit).contains(position);
    if (!compares && !isEnd)
        m_zoom = [this, step] { emit stepRequested(step, StepCommand::Zoom); };
    emit stepRequested(step,
        compares    ? StepCommand::Compare
            : isEnd ? StepCommand::ShowLeftBehind
                    : StepCommand::Select);
}

/// Returns the end of a step's bar, where a click shows what the step left behind. It is empty for all other
/// bars, for a bar of several steps or too narrow for two targets, and if the end is out of view.
QRectF LaneStrip::endOf(const Hit& hit) const
{
    constexpr double width = 8;
    constexpr double narrowest = 5 * width;
    const LaneRow& row = m_table->rows[hit.row];
    const QRectF bar = laneBar(row, hit.piece, rowRect(hit.row));
    if (row.kind != LaneKind::Steps || hit.piece.count > 1 || bar.width() < narrowest
        || hit.piece.right > m_right + 1)
        return {};
    return bar.adjusted(bar.width() - width, 0, 0, 0);
}

/// Returns the clicked step. In a bar of several narrow steps, it is the one under the mouse.
std::size_t LaneStrip::stepOf(const Hit& hit, const QPointF& position) const
{
    const auto [first, last] = eventsOf(m_table->rows[hit.row], hit.piece);
    const std::int64_t event
        = std::clamp(m_scale->eventAt(area().keyAt(position.x())), first, std::max(first, last - 1));
    return m_analysis->steps.stepOf(event).value_or(0);
}

/// Zooms to the item that the first click has chosen, also if that click has moved another bar under the
/// mouse.
void LaneStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_pressed.reset();
    if (event->button() == Qt::LeftButton && m_zoom)
        m_zoom();
}

void LaneStrip::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<Hit> hit = hitAt(event->position());
    const bool isClickable = hit || noteAt(event->position().toPoint());
    setCursor(isClickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const QRectF end = hit ? endOf(*hit) : QRectF();
    showEnd(end.contains(event->position()) ? end : QRectF());
}

void LaneStrip::leaveEvent(QEvent* event)
{
    showEnd({});
    QWidget::leaveEvent(event);
}

/// Marks the end of a step as the target of a click.
void LaneStrip::showEnd(const QRectF& end)
{
    if (std::exchange(m_hoveredEnd, end) != end)
        update();
}

void LaneStrip::wheelEvent(QWheelEvent* event)
{
    m_visibleRange.zoomX(area().keyAt(event->position().x()), wheelZoomFactor(*event));
    event->accept();
}

void LaneStrip::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("laneMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const std::optional<Hit> hit = hitAt(event->pos());
    if (hit && m_table->rows[hit->row].kind == LaneKind::Steps)
        addStepActions(*menu, *this, m_analysis, m_selection, stepOf(*hit, event->pos()));
    menu->addSeparator();
    for (const Note& note : noteList()) {
        const bool internal = note.kind == NoteKind::Internal;
        QAction* action
            = menu->addAction(internal ? tr("Show &internal ranges") : tr("Show &all rows of ranges"));
        action->setCheckable(true);
        action->setChecked(internal ? m_choice.withInternal : m_choice.allRows);
        connect(action, &QAction::triggered, this, [this, kind = note.kind] { toggleNote(kind); });
    }
    if (menu->isEmpty())
        delete menu;
    else
        menu->popup(event->globalPos());
}

bool LaneStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipAt(help->pos());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace highwater::gui

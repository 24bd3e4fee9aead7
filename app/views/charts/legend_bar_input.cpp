#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QMenu>

#include "app/views/charts/legend_bar.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

// Mouse, keys and tool tips of the legend.

namespace highwater::gui {

namespace {

/// Returns the number of entries that a key moves by; nullopt if the key does not move.
std::optional<int> entriesToMove(int key)
{
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Left: return -1;
    case Qt::Key_Down:
    case Qt::Key_Right: return 1;
    default: return std::nullopt;
    }
}

} // namespace

std::optional<std::size_t> LegendBar::rowAt(const QPoint& position) const
{
    for (const std::size_t row : m_shownRows)
        if (rowRect(row).contains(position))
            return row;
    return std::nullopt;
}

std::optional<GroupRank> LegendBar::groupAt(const QPoint& position) const
{
    const std::optional<std::size_t> row = rowAt(position);
    return row ? m_rows[*row].group : std::nullopt;
}

void LegendBar::choose(GroupRank group, Qt::KeyboardModifiers modifiers)
{
    if (modifiers.testFlag(Qt::ControlModifier))
        m_bands.toggleHidden(group);
    else
        m_bands.toggleIsolated(group);
}

void LegendBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && moreRect().contains(event->position().toPoint()))
        makeMenu()->popup(mapToGlobal(moreRect().topLeft()));
    m_pressed = event->button() == Qt::LeftButton ? groupAt(event->position().toPoint()) : std::nullopt;
}

void LegendBar::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<GroupRank> pressed = std::exchange(m_pressed, std::nullopt);
    if (pressed && event->button() == Qt::LeftButton && groupAt(event->position().toPoint()) == pressed)
        choose(*pressed, event->modifiers());
}

void LegendBar::mouseMoveEvent(QMouseEvent* event)
{
    if (groupAt(event->position().toPoint()) || moreRect().contains(event->position().toPoint()))
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
}

void LegendBar::moveCurrent(int by)
{
    m_current = std::clamp(m_current + by, 0, std::max(0, static_cast<int>(m_shownRows.size()) - 1));
    QString description = m_heading;
    if (!m_rows.empty()) {
        const LegendRow& row = m_rows[currentRow()];
        description += QStringLiteral(". %1: %2").arg(row.label, bytesText(row.bytes));
    }
    if (const QString extras = m_extras.text(); !extras.isEmpty())
        description += QStringLiteral(". ") + extras;
    setAccessibleDescription(description);
    if (hasFocus())
        update();
}

void LegendBar::keyPressEvent(QKeyEvent* event)
{
    if (const std::optional<int> by = entriesToMove(event->key())) {
        moveCurrent(*by);
        return;
    }
    if (event->key() != Qt::Key_Space || m_rows.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const LegendRow& row = m_rows[currentRow()];
    if (row.group)
        choose(*row.group, event->modifiers());
}

void LegendBar::focusInEvent(QFocusEvent* event)
{
    moveCurrent(0);
    QWidget::focusInEvent(event);
}

QString LegendBar::tipOf(const LegendRow& row) const
{
    QString tip
        = tr("%1\n%2 in %3")
              .arg(row.tip, bytesText(row.bytes), countedText(row.count, "allocation", "allocations"));
    if (row.kept > 0)
        tip += tr("\n%1 of it kept from earlier steps, hatched in the timeline").arg(bytesText(row.kept));
    if (!row.group)
        return tip;
    tip += m_bands.isolated() == row.group ? tr("\nClick: show all.") : tr("\nClick: show only this.");
    tip += m_bands.isHidden(*row.group) ? tr(" Ctrl+click: show it.") : tr(" Ctrl+click: hide it.");
    return tip;
}

bool LegendBar::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        // While the bar has the focus, these keys must not reach the timeline.
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (entriesToMove(key) || key == Qt::Key_Space) {
            event->accept();
            return true;
        }
    }
    const auto tipAt = [this](const QPoint& position) {
        const std::optional<std::size_t> row = rowAt(position);
        if (row)
            return tipOf(m_rows[*row]);
        for (std::size_t i = 0; i < m_extraPlaces.size(); ++i)
            if (rectOf(m_extraPlaces[i]).contains(position))
                return LegendExtras::tipOf(m_extras.entries()[i]);
        return QString();
    };
    return showTip(*event, *this, tipAt) || QWidget::event(event);
}

} // namespace highwater::gui

#include "app/views/findings/saving_pointer.h"

#include <utility>

#include <QEvent>

#include "app/views/findings/finding_delegate.h"

namespace highwater::gui {

SavingPointer::SavingPointer(QAbstractItemView* list)
    : QObject(list)
    , m_list(*list)
{
    list->installEventFilter(this);
    list->viewport()->installEventFilter(this);
    connect(list, &QAbstractItemView::entered, this, &SavingPointer::enter);
    connect(list, &QAbstractItemView::viewportEntered, this, [this] { pointAtRow({}); });
}

/// Shows the saving of the row when the mouse enters it, and keeps it while the mouse stays in the row.
void SavingPointer::enter(const QModelIndex& cell)
{
    const QVariant number = cell.siblingAtColumn(0).data(FindingDelegate::kFixRole);
    const bool isInSameRow = m_finding && number.isValid() && number.toULongLong() == *m_finding;
    if (cell.column() == FindingDelegate::Saves || !isInSameRow)
        pointAtRow(cell.column() == FindingDelegate::Saves ? cell : QModelIndex());
}

/// Points at the saving of a row, or at none if the row has none.
void SavingPointer::pointAtRow(const QModelIndex& cell)
{
    const QVariant number = cell.siblingAtColumn(0).data(FindingDelegate::kFixRole);
    m_finding = number.isValid() ? std::optional<std::size_t>(number.toULongLong()) : std::nullopt;
    emit pointedAt(m_finding);
}

bool SavingPointer::eventFilter(QObject* watched, QEvent* event)
{
    const bool isList = watched == &m_list; // else its viewport
    if (event->type() == (isList ? QEvent::FocusOut : QEvent::Leave))
        pointAtRow({});
    else if (isList && event->type() == QEvent::KeyPress)
        m_isKeyDown = true;
    else if (isList && event->type() == QEvent::KeyRelease
        && std::exchange(m_isKeyDown, false)) // not a click, and not a key that closed a dialog
        pointAtRow(m_list.currentIndex());
    return QObject::eventFilter(watched, event);
}

} // namespace highwater::gui

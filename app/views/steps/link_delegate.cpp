#include "app/views/steps/link_delegate.h"

#include <utility>

#include <QHelpEvent>
#include <QTableView>
#include <QToolTip>

namespace highwater::gui {

LinkDelegate::LinkDelegate(QString tip, IsLink isLink, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_tip(std::move(tip))
    , m_isLink(std::move(isLink))
{
}

void LinkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isLink = m_isLink(index);
    if (!isLink)
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
    option->font.setUnderline(isLink && option->state.testFlag(QStyle::State_MouseOver));
}

bool LinkDelegate::helpEvent(
    QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid() || !m_isLink(index))
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString exact = index.data(Qt::ToolTipRole).toString();
    QToolTip::showText(
        event->globalPos(), exact.isEmpty() ? m_tip : m_tip + QLatin1Char('\n') + exact, view->viewport());
    return true;
}

void makeLinks(QTableView& table, int column, const QString& tip, const LinkDelegate::IsLink& isLink)
{
    table.setItemDelegateForColumn(column, new LinkDelegate(tip, isLink, &table));
    QWidget* const cells = table.viewport();
    cells->setAttribute(Qt::WA_Hover); // else the view does not know the cell under the mouse
    table.setMouseTracking(true);
    QObject::connect(&table, &QTableView::entered, cells, [cells, column, isLink](const QModelIndex& index) {
        cells->setCursor(
            index.column() == column && isLink(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    });
    QObject::connect(
        &table, &QTableView::viewportEntered, cells, [cells] { cells->setCursor(Qt::ArrowCursor); });
}

} // namespace highwater::gui

#include "app/views/parts/plain_table.h"

#include <algorithm>

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include "app/views/parts/box_label.h"

namespace highwater::gui {

QString alignedDecimals(const QString& text)
{
    const qsizetype unit = text.lastIndexOf(QLatin1Char(' '));
    const bool hasOneDecimal = unit > 2 && text.size() - unit == 4 && text.endsWith(QLatin1String("iB"))
        && text[unit - 1].isDigit() && text[unit - 2] == QLatin1Char('.');
    QString aligned = text;
    return hasOneDecimal ? aligned.insert(unit, QLatin1Char('0')) : aligned;
}

int tableRowHeight(const QFontMetrics& font)
{
    return font.height() + 8;
}

bool showsLine(const QRect& cell, const QFontMetrics& font, const QWidget* view)
{
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(view);
    const int middle = cell.center().y();
    const int half = std::min(cell.height(), font.ascent() + font.descent()) / 2;
    return !area || (middle - half >= 0 && middle + half <= area->viewport()->height());
}

void PlaceDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto* const view = qobject_cast<const QAbstractScrollArea*>(option->widget);
    if (!view || option->rect.isEmpty())
        return;
    const bool hasBadge = option->features.testFlag(QStyleOptionViewItem::HasDecoration);
    const int taken = 2 * kCellPadding + (hasBadge ? option->decorationSize.width() + kCellPadding : 0);
    const QRect visible = option->rect.intersected(view->viewport()->rect());
    if (visible.width() > taken)
        option->text = placeOf(option->text) == option->text
            ? cutHead(option->fontMetrics, option->text, visible.width() - taken)
            : cutFunction(option->fontMetrics, option->text, visible.width() - taken);
}

QTableView* makePlainTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setObjectName(objectName);
    table->setAccessibleName(accessibleName);
    table->setModel(&model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false); // Tab leaves the table, arrows move in it
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(tableRowHeight(table->fontMetrics()));
    table->horizontalHeader()->setHighlightSections(false);
    // The style ends texts at the edge of the view, which scrolling would move with the picture.
    QObject::connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, table, [table] {
        table->viewport()->update();
        table->horizontalHeader()->viewport()->update();
    });
    return table;
}

QTableView* makeSortedTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent)
{
    QTableView* table = makePlainTable(model, objectName, accessibleName, parent);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setItemDelegate(new PlaceDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder); // no sorting yet
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    return table;
}

void fitColumns(QTableView& table, int first)
{
    constexpr int widest = 340;
    for (int column = first; column < table.model()->columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue; // its width would be taken for 0
        table.resizeColumnToContents(column);
        table.setColumnWidth(column, std::min(table.columnWidth(column), widest));
    }
}

} // namespace highwater::gui

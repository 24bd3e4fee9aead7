#include "app/views/parts/plain_table.h"

#include <algorithm>

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

namespace highwater::gui {

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
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
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
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder); // no sorting yet
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    return table;
}

void fitColumns(QTableView& table, int first)
{
    constexpr int room = 10;
    constexpr int widest = 340;
    for (int column = first; column < table.model()->columnCount(); ++column) {
        table.resizeColumnToContents(column);
        table.setColumnWidth(column, std::min(table.columnWidth(column) + room, widest));
    }
}

} // namespace highwater::gui

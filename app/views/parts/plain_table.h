#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace highwater::gui {

/// Makes the usual table of a panel: whole rows are selected, no grid, frame or row numbers, one line per
/// row.
QTableView* makePlainTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// Makes a plain table with one selected row at a time that is sorted by a click on a column title. Until
/// then it keeps the model's order.
QTableView* makeSortedTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// Widens the columns from `first` on to their contents, up to a limit; longer texts are shown in the tool
/// tip.
void fitColumns(QTableView& table, int first = 0);

} // namespace highwater::gui

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

/// Makes a plain table in which one row can be selected and a click on a column title sorts. Before the first
/// click, rows have the order of the model.
QTableView* makeSortedTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// Fits the columns from `first` on to their contents, up to a limit; longer texts are shown in the tool tip.
void fitColumns(QTableView& table, int first = 0);

} // namespace highwater::gui

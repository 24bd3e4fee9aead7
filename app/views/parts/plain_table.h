#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace highwater::gui {

/// A table as panels have it: rows are chosen as wholes, no grid, no frame, no numbers of rows, one line a
/// row.
QTableView* makePlainTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// The same with one row chosen at a time, sorted by a click on a title; in the model's order until then.
QTableView* makeSortedTable(
    QAbstractItemModel& model, const QString& objectName, const QString& accessibleName, QWidget* parent);

/// Columns from this one on get the room that they need; longer texts are read in the tool tip.
void fitColumns(QTableView& table, int first = 0);

} // namespace highwater::gui

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

} // namespace highwater::gui

#pragma once

#include <QString>

class QTableView;
class QTreeView;

/// Functions that make the text of tables and trees for the clipboard: one line per row, cells separated by
/// tabs.
namespace highwater::gui {

/// Returns all rows or the selected ones, below the column titles, with hidden columns.
QString tableText(const QTableView& table, bool onlySelected);

/// Returns the visible rows, indented by depth, below the column titles. With `onlySelected`, returns the
/// current row, if there is one, and the visible rows below it.
QString treeText(const QTreeView& tree, bool onlySelected);

} // namespace highwater::gui

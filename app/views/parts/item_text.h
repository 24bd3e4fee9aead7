#pragma once

#include <QString>

class QTableView;
class QTreeView;

/// What item views show, as text for the clipboard: a line for each row, cells between tabs.
namespace highwater::gui {

/// All rows, or the selected ones, under the titles of the columns.
QString tableText(const QTableView& table, bool onlySelected);

/// The rows that are open, indented by depth; with `onlySelected` the current row and what is open below it.
QString treeText(const QTreeView& tree, bool onlySelected);

} // namespace highwater::gui

#pragma once

#include <QString>

class QTableView;
class QTreeView;

/// Text of item views for the clipboard: one line per row, cells separated by tabs.
namespace highwater::gui {

/// All rows or the selected ones, below the column titles.
QString tableText(const QTableView& table, bool onlySelected);

/// The expanded rows, indented by depth; with `onlySelected`, the current row and what is expanded below it.
QString treeText(const QTreeView& tree, bool onlySelected);

} // namespace highwater::gui

#pragma once

#include <QString>

class QAbstractItemView;
class QWidget;

namespace highwater::gui {

/// Returns the contents of a table or tree, including collapsed rows, as CSV
/// (core/table/sinks/table_writer.h): a header line, then the rows in the order on screen, without hidden
/// columns, but with those left out for want of room. Figures are exact, with their unit in the title, if the
/// model has exact ones (`kExactRole`); otherwise they are as shown. A tree gets a first column "depth", 0
/// for the outermost rows. O(rows × columns).
std::string csvOf(const QAbstractItemView& view);

/// Writes the CSV to a file. On failure, returns false and sets `error` to one sentence.
bool saveCsv(const QAbstractItemView& view, const QString& path, QString& error);

/// Gives a table or tree a context menu with "Copy" (also Ctrl+C: the selected rows, else all, as shown),
/// unless it has such a command, "Copy as CSV" and "Save as CSV…". Existing actions of the view stay and come
/// first. Does nothing if called again.
void offerTableExport(QAbstractItemView& view);
/// Calls `offerTableExport` for every QTableView and QTreeView below `parent`.
void offerTableExports(QWidget& parent);

} // namespace highwater::gui

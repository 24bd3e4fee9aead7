#pragma once

#include <QString>

class QAbstractItemView;
class QWidget;

namespace highwater::gui {

/// Everything that a table or a tree holds, also what is folded, as CSV (core/table/sinks/table_writer.h):
/// a line of titles, then the rows in the order shown, without hidden columns. Figures are exact where the
/// model knows them (`kExactRole`), with their unit in the title; else what is shown. A tree has a first
/// column "depth", 0 for the outermost. O(rows × columns).
std::string csvOf(const QAbstractItemView& view);

/// As csvOf, to a file; `error` is one sentence where it cannot be written.
bool saveCsv(const QAbstractItemView& view, const QString& path, QString& error);

/// Gives a table or tree a context menu with "Copy" (also Ctrl+C: the chosen rows, else all, as they are
/// shown), "Copy as CSV" and "Save as CSV…". What the view offers already stays, and comes first. Ignored
/// where it was done before.
void offerTableExport(QAbstractItemView& view);
/// For every QTableView and QTreeView below it.
void offerTableExports(QWidget& parent);

} // namespace highwater::gui

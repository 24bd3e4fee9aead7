#include "app/views/parts/item_text.h"

#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

namespace highwater::gui {

namespace {

QString titleLine(const QAbstractItemModel& model)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.headerData(column, Qt::Horizontal).toString();
    return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

QString rowText(const QAbstractItemModel& model, int row, const QModelIndex& parent, int depth)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column)
        cells << model.index(row, column, parent).data().toString();
    return QString(2 * depth, QLatin1Char(' ')) + cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
}

/// Appends the visible rows below `parent`, indented by their depth; `depth` is that of its children.
void appendExpanded(const QTreeView& tree, const QModelIndex& parent, int depth, QString& text)
{
    for (int row = 0; row < tree.model()->rowCount(parent); ++row) {
        text += rowText(*tree.model(), row, parent, depth);
        const QModelIndex index = tree.model()->index(row, 0, parent);
        if (tree.isExpanded(index))
            appendExpanded(tree, index, depth + 1, text);
    }
}

} // namespace

QString tableText(const QTableView& table, bool onlySelected)
{
    const QAbstractItemModel& model = *table.model();
    QString text = titleLine(model);
    const auto append = [&](int row) { text += rowText(model, row, {}, 0); };
    if (!onlySelected)
        for (int row = 0; row < model.rowCount(); ++row)
            append(row);
    else
        for (const QModelIndex& index : table.selectionModel()->selectedRows())
            append(index.row());
    return text;
}

QString treeText(const QTreeView& tree, bool onlySelected)
{
    QString text = titleLine(*tree.model());
    const QModelIndex current = tree.currentIndex().siblingAtColumn(0);
    if (!onlySelected || !current.isValid()) {
        appendExpanded(tree, {}, 0, text);
        return text;
    }
    text += rowText(*tree.model(), current.row(), current.parent(), 0);
    if (tree.isExpanded(current))
        appendExpanded(tree, current, 1, text);
    return text;
}

} // namespace highwater::gui

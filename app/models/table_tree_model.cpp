#include "app/models/table_tree_model.h"

#include <algorithm>

#include <QFont>

#include "app/models/cell_data.h"
#include "app/models/row_order.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

void TableTreeModel::setTable(Table table, const std::vector<int>& depths)
{
    beginResetModel();
    m_table = std::move(table);
    m_parents.clear();
    std::vector<std::size_t> path; // the last row of each depth
    for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
        path.resize(std::min(static_cast<std::size_t>(depths[row]), path.size()));
        m_parents.push_back(path.empty() ? topLevel() : path.back());
        path.push_back(row);
    }
    arrange();
    endResetModel();
}

void TableTreeModel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    const auto noteRowsBelow = [this](const QModelIndex& parent) {
        if (const int rows = rowCount(parent); rows > 0)
            emit dataChanged(
                index(0, 0, parent), index(rows - 1, columnCount() - 1, parent), {Qt::ForegroundRole});
    };
    noteRowsBelow({});
    for (std::size_t row = 0; row < m_table.rows.size(); ++row)
        noteRowsBelow(createIndex(m_places[row], 0, row));
}

int TableTreeModel::column(std::string_view key) const
{
    const auto found = std::ranges::find(m_table.columns, key, &TableColumn::key);
    return found == m_table.columns.end() ? -1 : static_cast<int>(found - m_table.columns.begin());
}

std::string TableTreeModel::keyOf(int column) const
{
    return column >= 0 && column < columnCount() ? m_table.columns[static_cast<std::size_t>(column)].key
                                                 : std::string();
}

void TableTreeModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    beginResetModel();
    m_filter = text;
    arrange();
    endResetModel();
}

std::vector<bool> TableTreeModel::matchingRows() const
{
    const auto matches = [this](const Cell& cell) {
        return cell.text() && toQString(cellText(cell)).contains(m_filter, Qt::CaseInsensitive);
    };
    std::vector<bool> shown(m_table.rows.size());
    for (std::size_t row = 0; row < shown.size(); ++row)
        shown[row] = std::ranges::any_of(m_table.rows[row], matches)
            || (m_parents[row] != topLevel() && shown[m_parents[row]]);
    for (std::size_t row = shown.size(); row-- > 0;)
        if (shown[row] && m_parents[row] != topLevel())
            shown[m_parents[row]] = true;
    return shown;
}

/// Fills the lists of children with the rows that match, in the chosen order.
void TableTreeModel::arrange()
{
    m_children.assign(m_table.rows.size() + 1, {});
    m_places.assign(m_table.rows.size() + 1, 0);
    const std::vector<bool> shown
        = m_filter.isEmpty() ? std::vector<bool>(m_table.rows.size(), true) : matchingRows();
    for (std::size_t row = 0; row < m_table.rows.size(); ++row)
        if (shown[row])
            m_children[m_parents[row]].push_back(row);
    const bool isSorted = m_sortColumn >= 0 && m_sortColumn < columnCount();
    const auto cellOf
        = [this](std::size_t row) { return m_table.rows[row][static_cast<std::size_t>(m_sortColumn)]; };
    for (std::vector<std::size_t>& siblings : m_children) {
        if (isSorted)
            sortByColumn(siblings, cellOf, m_sortOrder);
        for (std::size_t i = 0; i < siblings.size(); ++i)
            m_places[siblings[i]] = static_cast<int>(i);
    }
    if (!showsTotal(m_table))
        return;
    m_places.back() = static_cast<int>(m_children.back().size());
    m_children.back().push_back(m_table.rows.size());
}

void TableTreeModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    emit layoutAboutToBeChanged();
    const QModelIndexList oldIndexes = persistentIndexList();
    arrange();
    for (const QModelIndex& index : oldIndexes)
        changePersistentIndex(index, createIndex(m_places[rowOf(index)], index.column(), index.internalId()));
    emit layoutChanged();
}

const std::vector<std::size_t>& TableTreeModel::childrenOf(const QModelIndex& parent) const
{
    static const std::vector<std::size_t> kNone;
    if (m_children.empty() || parent.column() > 0 || (parent.isValid() && isTotal(parent)))
        return kNone;
    return m_children[parent.isValid() ? rowOf(parent) : topLevel()];
}

QModelIndex TableTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    return hasIndex(row, column, parent)
        ? createIndex(row, column, childrenOf(parent)[static_cast<std::size_t>(row)])
        : QModelIndex();
}

QModelIndex TableTreeModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || isTotal(index) || m_parents[rowOf(index)] == topLevel())
        return {};
    const std::size_t above = m_parents[rowOf(index)];
    return createIndex(m_places[above], 0, above);
}

int TableTreeModel::rowCount(const QModelIndex& parent) const
{
    return static_cast<int>(childrenOf(parent).size());
}

int TableTreeModel::columnCount(const QModelIndex&) const
{
    return static_cast<int>(m_table.columns.size());
}

QVariant TableTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::FontRole && isTotal(index)) {
        QFont font;
        font.setBold(true);
        return font;
    }
    const auto column = static_cast<std::size_t>(index.column());
    const TableRow& row = isTotal(index) ? m_table.total : m_table.rows[rowOf(index)];
    if (role == Qt::ForegroundRole)
        return row[column].tone == CellTone::Quiet ? QVariant(m_colors.quietText) : QVariant();
    return cellData(m_table.columns[column], row[column], role);
}

QVariant TableTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isColumn = orientation == Qt::Horizontal && section >= 0 && section < columnCount();
    return isColumn ? titleData(m_table.columns[static_cast<std::size_t>(section)], role) : QVariant();
}

} // namespace highwater::gui

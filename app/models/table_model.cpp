#include "app/models/table_model.h"

#include <algorithm>

#include <QFont>

#include "app/models/cell_data.h"
#include "app/models/row_order.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

TableModel::TableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void TableModel::setSource(TableSource source)
{
    beginResetModel();
    m_source = std::move(source);
    m_cachedAt.second = -1;
    arrange();
    endResetModel();
}

void TableModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    beginResetModel();
    m_filter = text;
    arrange();
    endResetModel();
}

void TableModel::setNotes(std::function<std::vector<const NoteFlag*>(std::size_t row)> notesOn)
{
    m_notesOn = std::move(notesOn);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::DecorationRole});
}

void TableModel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
}

std::size_t TableModel::rowAt(int row) const
{
    const auto shownIndex = static_cast<std::size_t>(row);
    return shownIndex < m_order.size() ? m_order[shownIndex] : m_source.rowCount;
}

int TableModel::column(std::string_view key) const
{
    const auto found = std::ranges::find(
        m_source.columns, key, [](const SourceColumn& column) { return column.column.key; });
    return found == m_source.columns.end() ? -1 : static_cast<int>(found - m_source.columns.begin());
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size()) + (showsTotal(m_source) ? 1 : 0);
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_source.columns.size());
}

const TableColumn& TableModel::columnOf(int section) const
{
    return m_source.columns[static_cast<std::size_t>(section)].column;
}

const Cell& TableModel::cell(const QModelIndex& index) const
{
    const auto column = static_cast<std::size_t>(index.column());
    if (isTotal(index.row()))
        return m_source.total[column];
    const std::pair at(rowAt(index.row()), index.column());
    if (m_cachedAt != at) {
        m_cached = m_source.columns[column].cell(at.first);
        m_cachedAt = at;
    }
    return m_cached;
}

QVariant TableModel::badge(const QModelIndex& index) const
{
    if (!m_notesOn || index.column() != 0 || isTotal(index.row()))
        return {};
    return badgePixmap(m_notesOn(rowAt(index.row())));
}

/// Red is reserved for what does not fit. A figure that grew has the colour of increases instead.
QVariant TableModel::color(const Cell& cell) const
{
    const Amount* amount = cell.amount();
    const bool isDifference = amount
        && (amount->kind == AmountKind::ByteDelta || amount->kind == AmountKind::CountDelta
            || amount->kind == AmountKind::PerMilleDelta);
    switch (cell.tone) {
    case CellTone::Quiet: return m_colors.quietText;
    case CellTone::Better: return m_colors.less;
    case CellTone::Worse: return isDifference ? m_colors.more : m_colors.danger;
    case CellTone::Plain: break;
    }
    return {};
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Cell& shownCell = cell(index);
    switch (role) {
    case Qt::DecorationRole: return badge(index);
    case Qt::ForegroundRole: return color(shownCell);
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return isTotal(index.row()) ? QVariant(font) : QVariant();
    }
    case OutlineRole: return shownCell.outline() ? QVariant::fromValue(*shownCell.outline()) : QVariant();
    default: return cellData(columnOf(index.column()), shownCell, role);
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isColumn = orientation == Qt::Horizontal && section >= 0 && section < columnCount();
    return isColumn ? titleData(columnOf(section), role) : QVariant();
}

bool TableModel::matchesFilter(std::size_t row) const
{
    return std::ranges::any_of(m_source.columns, [&](const SourceColumn& column) {
        if (column.column.isNumber)
            return false;
        const Cell cell = column.cell(row);
        return toQString(cellText(cell)).contains(m_filter, Qt::CaseInsensitive)
            || (cell.text() && toQString(*cell.text()).contains(m_filter, Qt::CaseInsensitive));
    });
}

bool TableModel::isSortedAlready() const
{
    const TableColumn& column = columnOf(m_sortColumn);
    return column.isCostly || (column.isSortedDescending && m_sortOrder == Qt::DescendingOrder);
}

/// Fills the order with the rows that match the filter, sorted.
void TableModel::arrange()
{
    m_order.clear();
    for (std::size_t row = 0; row < m_source.rowCount; ++row)
        if (m_filter.isEmpty() || matchesFilter(row))
            m_order.push_back(row);
    if (m_sortColumn >= 0 && m_sortColumn < columnCount() && !isSortedAlready())
        sortByColumn(m_order, m_source.columns[static_cast<std::size_t>(m_sortColumn)].cell, m_sortOrder);
    m_shownAt.assign(m_source.rowCount + 1, -1);
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_shownAt[m_order[i]] = static_cast<int>(i);
    m_shownAt.back() = static_cast<int>(m_order.size()); // the total
}

void TableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    emit layoutAboutToBeChanged();
    const QModelIndexList oldIndexes = persistentIndexList();
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : oldIndexes)
        rows.push_back(rowAt(index.row()));
    arrange();
    for (qsizetype i = 0; i < oldIndexes.size(); ++i)
        changePersistentIndex(
            oldIndexes[i], index(shownRow(rows[static_cast<std::size_t>(i)]), oldIndexes[i].column()));
    emit layoutChanged();
}

} // namespace highwater::gui

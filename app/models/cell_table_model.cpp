#include "app/models/cell_table_model.h"

#include <algorithm>

#include "app/models/exact_role.h"

namespace highwater::gui {

void CellTableModel::setTable(CellTable table)
{
    beginResetModel();
    m_table = std::move(table);
    sortRows();
    endResetModel();
}

void CellTableModel::sortRows()
{
    if (m_sortColumn < 0 || m_sortColumn >= m_table.titles.size())
        return;
    const auto column = static_cast<std::size_t>(m_sortColumn);
    const auto before = [column](const CellTable::Row& a, const CellTable::Row& b) {
        const TableCell& left = a.cells[column];
        const TableCell& right = b.cells[column];
        return left.isFigure ? left.number < right.number : left.text < right.text;
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::stable_sort(m_table.rows.begin(), m_table.rows.end(), before);
    else
        std::stable_sort(m_table.rows.begin(), m_table.rows.end(),
            [&before](const CellTable::Row& a, const CellTable::Row& b) { return before(b, a); });
}

void CellTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<quint64> ids;
    for (const QModelIndex& index : before)
        ids.push_back(idAt(index.row()));
    sortRows();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto row = std::find_if(m_table.rows.begin(), m_table.rows.end(),
            [id = ids[static_cast<std::size_t>(i)]](const CellTable::Row& each) { return each.id == id; });
        after << createIndex(static_cast<int>(row - m_table.rows.begin()), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

int CellTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int CellTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.titles.size());
}

QVariant CellTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const TableCell& cell
        = m_table.rows[static_cast<std::size_t>(index.row())].cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::ToolTipRole: return cell.tip.isEmpty() ? cell.text : cell.tip;
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (cell.isFigure ? Qt::AlignRight : Qt::AlignLeft));
    case kExactRole: {
        const bool isExact = cell.isFigure && !m_table.units.value(index.column()).isEmpty()
            && cell.text != QStringLiteral("–");
        return isExact ? exactFigure(cell.number) : QVariant();
    }
    default: return {};
    }
}

QVariant CellTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= m_table.titles.size())
        return {};
    if (role == kExactRole && !m_table.units.value(section).isEmpty())
        return m_table.units[section];
    if (role != Qt::DisplayRole)
        return {};
    return m_table.titles[section];
}

} // namespace highwater::gui

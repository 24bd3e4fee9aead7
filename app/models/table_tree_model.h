#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <QAbstractItemModel>

#include "app/workspace/theme/theme_colors.h"
#include "core/table/table.h"

namespace highwater::gui {

/// A table of core whose rows form a tree, as a Qt model. Sorting permutes siblings only, and stays in effect
/// for new tables; see `sortByColumn`. The total is the last row of the top level in any order.
class TableTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    /// Sets the rows; each comes before the rows below it in the tree. `depths` has the depth of each row: 0
    /// at the top level, and at most one more than the depth of the row before.
    void setTable(Table table, const std::vector<int>& depths);
    void setColors(const ThemeColors& colors);
    /// Shows the rows with a text that contains the filter (case-insensitive), with all rows above and below
    /// them; an empty text shows all.
    void setFilter(const QString& text);

    /// Returns the row of the table, or the number of its rows for the total. The index must be valid.
    std::size_t rowOf(const QModelIndex& index) const { return static_cast<std::size_t>(index.internalId()); }
    /// Returns the index of the column with this key; −1 if there is none. `keyOf` does the opposite; it
    /// returns an empty key for no column.
    int column(std::string_view key) const;
    std::string keyOf(int column) const;
    bool isTotal(const QModelIndex& index) const { return rowOf(index) == m_table.rows.size(); }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    /// Returns the index of the top level in `m_children`, after the children of all rows.
    std::size_t topLevel() const { return m_table.rows.size(); }
    const std::vector<std::size_t>& childrenOf(const QModelIndex& parent) const;
    void arrange();
    std::vector<bool> matchingRows() const;

    Table m_table;
    ThemeColors m_colors = ThemeColors::light();
    std::vector<std::size_t> m_parents; ///< by row; `topLevel` for rows of the top level
    std::vector<std::vector<std::size_t>> m_children; ///< by row, and one more for the top level
    std::vector<int> m_places; ///< by row, and one more for the total: its place among its siblings
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace highwater::gui

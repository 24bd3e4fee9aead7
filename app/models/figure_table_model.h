#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <QAbstractTableModel>

#include "app/models/call_tree_model.h"
#include "core/base/units.h"

namespace highwater::gui {

/// One row of a table of figures.
struct FigureRow
{
    std::string name; ///< text for people; of several lines the table shows one, the tip all
    Bytes bytes = 0;
    std::int64_t count = 0;
    Bytes selfBytes = 0; ///< where the table has such a column
    std::string place; ///< whole path, where the table has such a column
    std::uint32_t id = 0; ///< what it means to whom the table belongs
};

struct FigureTable
{
    std::vector<FigureRow> rows; ///< largest first
    Bytes whole = 0; ///< what shares are of
    /// Names a row by its id where rows have no names of their own: making hundreds of thousands of texts
    /// takes longer than anyone wants to wait.
    std::function<std::string(std::uint32_t id)> nameOf;

    std::string nameOfRow(const FigureRow& row) const { return nameOf ? nameOf(row.id) : row.name; }
};

/// Rows with bytes, share and count, hundreds of thousands of them: sorting and searching move row numbers
/// only. Columns are FigureColumn, of which the last ones may be missing.
class FigureTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// `nameTitle` heads the first column. `hasSelf`: with self and place.
    explicit FigureTableModel(const QString& nameTitle, bool hasSelf, QObject* parent = nullptr);

    void setTable(std::shared_ptr<const FigureTable> table, const QString& nameTitle = {});
    /// Shows rows in whose name or place the text occurs (letter case does not matter); empty: all.
    void setSearch(const QString& text);
    /// Bytes and rows that answer to the search; all without one.
    Bytes matchedBytes() const { return m_matchedBytes; }

    const FigureRow& row(int row) const { return m_table->rows[m_order[static_cast<std::size_t>(row)]]; }
    /// −1: not shown.
    int rowOfId(std::uint32_t id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    void fillOrder();
    void sortOrder();
    int kindOf(int section) const;
    QString text(const FigureRow& row, int column) const;
    QString tip(const FigureRow& row, int column) const;
    double shareOf(const FigureRow& row) const;
    QVariant exactOf(const FigureRow& row, int column) const;

    QString m_nameTitle;
    bool m_hasSelf;
    std::shared_ptr<const FigureTable> m_table;
    QString m_search;
    int m_sortColumn = BytesColumn;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    Bytes m_matchedBytes = 0;
    std::vector<std::uint32_t> m_order; ///< row of the table, by row shown
};

} // namespace highwater::gui

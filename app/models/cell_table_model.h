#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QString>

namespace highwater::gui {

/// Content of a cell of a small table, with the number to sort by if it is a figure.
struct TableCell
{
    QString text;
    qint64 number = 0;
    bool isFigure = false; ///< aligned right, sorted by number; else by text
    QString tip = {};
};

struct CellTable
{
    struct Row
    {
        std::vector<TableCell> cells;
        quint64 id = 0; ///< what it means to whom the table belongs
    };
    QStringList titles;
    std::vector<Row> rows;
    /// By column, what the numbers of its figures count ("bytes", kNoUnit); empty: they serve sorting alone.
    QStringList units = {};
};

/// A small table that is always replaced as a whole. Keeps the user's sort order.
class CellTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(CellTable table);
    quint64 idAt(int row) const { return m_table.rows[static_cast<std::size_t>(row)].id; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    void sortRows();

    CellTable m_table;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace highwater::gui

#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <QAbstractTableModel>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"
#include "core/table/table_source.h"

namespace highwater::gui {

/// A table of core as a Qt model; a new table always replaces the whole old one. Sorting (`sortByColumn`)
/// permutes row numbers only, in O(rows × log(rows)), and stays in effect for new tables. A costly column,
/// and one by which the table is sorted already, leave the table's order. The total stays at the bottom.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// The role of a cell's Outline, if it has one.
    static constexpr int OutlineRole = Qt::UserRole + 10;

    explicit TableModel(QObject* parent = nullptr);

    void setTable(Table table) { setSource(sourceOf(std::move(table))); }
    void setSource(TableSource source);
    void setColors(const ThemeColors& colors);
    /// Shows only rows with a text column that contains the text (case-insensitive); an empty text shows
    /// all rows.
    void setFilter(const QString& text);
    /// Shows the numbers of notes in front of their rows; other rows leave the same space free. `notesOn`
    /// returns the notes on a row of the table; null if no row has notes.
    void setNotes(std::function<std::vector<const NoteFlag*>(std::size_t row)> notesOn);

    /// Returns the row of the table that is shown at `row`, or the table's number of rows for the total;
    /// `shownRow` does the opposite.
    std::size_t rowAt(int row) const;
    int shownRow(std::size_t row) const { return m_shownAt[row]; } ///< −1 if filtered out
    /// Returns the index of the column with this key; −1 if there is none.
    int column(std::string_view key) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    const Cell& cell(const QModelIndex& index) const;
    const TableColumn& columnOf(int section) const;
    bool isTotal(int row) const { return rowAt(row) == m_source.rowCount; }
    QVariant badge(const QModelIndex& index) const;
    QVariant color(const Cell& cell) const;
    bool matchesFilter(std::size_t row) const;
    bool isSortedAlready() const;
    void arrange();

    TableSource m_source;
    std::function<std::vector<const NoteFlag*>(std::size_t row)> m_notesOn;
    mutable std::pair<std::size_t, int> m_cachedAt{0, -1}; ///< row of the table and column of m_cached
    mutable Cell m_cached; ///< views ask for the roles of a cell one after another
    std::vector<std::size_t> m_order; ///< row of the table, by shown row
    std::vector<int> m_shownAt; ///< inverse of m_order; the last entry is the total's
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui

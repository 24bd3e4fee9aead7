#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QCollator>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"
#include "core/table/table_source.h"

namespace highwater::gui {

/// A table of core as rows of the window. It is always replaced as a whole and keeps the user's order, which
/// permutes row numbers only: by the order or the amount of the cells of a column, else by text; rows without
/// a value come last either way, and the total stays below them.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Of cells that are curves: std::vector<Bytes>, and the bytes that all of them are drawn up to.
    static constexpr int OutlineRole = Qt::UserRole + 10;
    static constexpr int HighestRole = Qt::UserRole + 11;

    explicit TableModel(QObject* parent = nullptr);

    void setTable(Table table) { setSource(sourceOf(std::move(table))); }
    void setSource(TableSource source);
    void setColors(const ThemeColors& colors);
    /// Rows in whose words the text occurs (letter case does not matter); empty: all.
    void setFilter(const QString& text);
    /// The notes on a row, whose numbers are shown in front of it; the other rows keep room for them. Null:
    /// no row has any.
    void setNotes(std::function<std::vector<const NoteFlag*>(std::size_t row)> notesOn);

    /// Of the table, in a row that is shown; its number of rows: the total. And the other way around.
    std::size_t rowAt(int row) const;
    int shownRow(std::size_t row) const { return m_shownAt[row]; } ///< −1: not shown
    /// Of this key; −1: there is none.
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
    bool isWanted(std::size_t row) const;
    bool isSortedAlready() const;
    void sortRows();

    TableSource m_source;
    std::function<std::vector<const NoteFlag*>(std::size_t row)> m_notesOn;
    mutable std::pair<std::size_t, int> m_cachedAt{0, -1}; ///< row of the table, and column, of m_cached
    mutable Cell m_cached; ///< views ask for one role of a cell after the other
    std::vector<std::size_t> m_order; ///< row of the table, by row shown
    std::vector<int> m_shownAt; ///< the other way around
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QCollator m_collator; ///< lr-2 before lr-10
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui

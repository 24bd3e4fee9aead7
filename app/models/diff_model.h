#pragma once

#include <memory>

#include <QAbstractTableModel>

#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// The rows of a comparison, in their own order: largest difference first. Sorting and filtering are a
/// proxy's: SortRole has numbers, the texts of all columns are what is searched.
class DiffModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        KeyColumn,
        BeforeColumn,
        AfterColumn,
        DeltaColumn,
        EachColumn, ///< how sizes of single allocations changed, "×8 = 4²·½"
        StatusColumn,
        ColumnCount
    };
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: no rows.
    void setDiff(std::shared_ptr<const MomentDiff> diff);
    void setColors(const ThemeColors& colors);
    /// Their numbers are shown in front of their rows.
    void setNotes(std::vector<RowNote> notes);
    const DiffRow& row(int row) const { return m_diff->diff.rows[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(int row, int column) const;
    QString tip(const DiffRow& row, int column) const;
    QVariant sortKey(int row, int column) const;
    QVariant color(const DiffRow& row, int column) const;
    QVariant badge(const DiffRow& row) const;

    std::shared_ptr<const MomentDiff> m_diff;
    std::vector<RowNote> m_notes;
    ThemeColors m_colors = ThemeColors::light();
};

/// "call site", "function", …: what rows of this key are.
QString rowNoun(GroupKey key);

} // namespace highwater::gui

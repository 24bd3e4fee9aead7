#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QCollator>

#include "app/workspace/compare/sweep_session.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// A table of runs, one row each: fixed columns, then one for each category that any of them holds at its
/// peak. For a run without figures the column after the name shows the reason. Sorting only permutes row
/// numbers; runs without the figure come last in either order.
class SweepModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        NameColumn,
        PeakColumn,
        DeltaColumn,
        CurveColumn,
        PlaceColumn,
        OomColumn,
        ReservedColumn,
        EventsColumn,
        FirstCategoryColumn
    };
    /// Of CurveColumn: std::vector<Bytes>, largest totals of equal stretches of the run.
    static constexpr int OutlineRole = Qt::UserRole;
    /// Of CurveColumn: the largest total of all runs, in bytes, which every curve is drawn against.
    static constexpr int HighestRole = Qt::UserRole + 1;

    explicit SweepModel(QObject* parent = nullptr);

    void setSweep(const SweepSession& session);
    void setColors(const ThemeColors& colors);

    /// In `RunSweep::rows`.
    std::size_t runAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    int rowOf(std::size_t run) const;
    bool hasFigures(int row) const { return of(row).run.isReadable(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    const SweepRow& of(int row) const { return m_sweep->rows[runAt(row)]; }
    Category categoryOf(int column) const
    {
        return m_categories[static_cast<std::size_t>(column - FirstCategoryColumn)];
    }
    bool isFigure(int column) const;
    QString text(int row, int column) const;
    QString tip(int row, int column) const;
    QVariant color(int row, int column) const;
    /// What a column is sorted by; none: the row has no such figure.
    std::optional<double> figure(const SweepRow& row, int column) const;
    bool isBefore(std::size_t a, std::size_t b) const;
    void sortRows();

    std::shared_ptr<const RunSweep> m_sweep;
    std::vector<bool> m_failed; ///< by run
    std::vector<Category> m_categories; ///< largest sum over all runs first
    std::vector<std::size_t> m_order; ///< run of each row
    Bytes m_highest = 0;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QCollator m_collator; ///< lr-2 before lr-10
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui

#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>

#include "app/workspace/document/device_analysis.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater::gui {

/// The steps of one device as rows: totals, and what is largest at the peak. Sorting only permutes row
/// numbers, so that hundreds of thousands of steps stay fast; holders are computed for visible rows only.
class StepsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Start,
        Peak,
        End,
        Retained,
        PeakPhase,
        PeakEvent,
        Duration,
        Holder,
        ColumnCount
    };

    explicit StepsModel(QObject* parent = nullptr);

    /// Null: none.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);

    /// Their numbers are shown in front of the names: `first` is the step.
    void setNotes(std::vector<NoteFlag> notes);

    /// Number of the step (in `StepTable::steps`) in a row, and the row that a step is in.
    std::size_t stepAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    int rowOf(std::size_t step) const { return m_rowOf[step]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    const Step& step(int row) const { return m_analysis->steps.steps[stepAt(row)]; }
    QString text(const Step& step, std::size_t number, int column) const;
    QString tip(const Step& step, int column) const;
    Nanoseconds duration(const Step& step) const;
    QString holder(std::size_t number) const;
    std::int64_t sortKey(std::size_t number, int column) const;
    void updateRows();
    std::vector<const NoteFlag*> notesOn(std::size_t number) const;
    QVariant badge(std::size_t number) const;

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::vector<std::size_t> m_order; ///< step of each row
    std::vector<int> m_rowOf; ///< row of each step
    std::vector<NoteFlag> m_notes; ///< by step
    mutable std::vector<QString> m_holders; ///< by step, empty: not worked out yet
    bool m_hasTimes = false;
};

} // namespace highwater::gui

#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QColor>

#include "app/workspace/document/run_loader.h"

namespace highwater::gui {

/// The files of a run as rows, one for each device that held memory; a file that is not loaded or cannot be
/// read has one row that says so. Sorting moves row numbers only.
class RanksModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Peak,
        AboveMedian,
        OutOfMemory,
        Reserved,
        PeakEvent,
        Events,
        Device,
        State,
        File,
        ColumnCount
    };

    explicit RanksModel(QObject* parent = nullptr);

    /// What the run's files have become. A row that was there before stays where it is.
    void setRun(const RunLoader& run);
    /// Colour of outliers.
    void setAlarmColor(const QColor& color);

    /// In `RunLoader::files`, of a row; and the row of a file's main device, −1: none.
    std::size_t fileAt(int row) const { return line(row).file; }
    int rowOf(std::size_t file) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    /// One row before sorting.
    struct Line
    {
        std::size_t file = 0;
        RunMember member;
        std::optional<RankRow> row; ///< in `m_table`; none: not loaded yet
        QString state;
        bool failed = false;
    };

    const Line& line(int row) const { return m_lines[m_order[static_cast<std::size_t>(row)]]; }
    const RankDevice* deviceOf(const Line& line) const;
    bool isMain(const Line& line) const;
    QString text(const Line& line, int column) const;
    QString deviceText(const Line& line, const RankDevice& device, int column) const;
    /// What it is sorted by; texts after numbers.
    double number(const Line& line, int column) const;
    void sortLines();

    std::shared_ptr<const RankTable> m_table;
    std::vector<Line> m_lines; ///< in order of rank
    std::vector<std::size_t> m_order; ///< line of each row
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QColor m_alarm;
};

/// "loaded", "waiting", "figures only: …"
QString stateText(const RunFile& file);

} // namespace highwater::gui

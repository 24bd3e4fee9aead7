#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/range_figures.h"
#include "core/run/note.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace highwater::gui {

/// Statistics of a selected range of events: bytes and allocations live at its start, allocated, freed and
/// live at its end, and the peak in the range. Start plus allocated minus freed is the end. Hidden without a
/// range.
class RangePanel : public QWidget
{
    Q_OBJECT

public:
    explicit RangePanel(QWidget* parent = nullptr);

    /// Shows the events [first, last) of a device, limited to existing events, under a name that may be
    /// empty; clears the panel if there are none. The figures are computed off the GUI thread and then
    /// replace all old ones at once; see `figuresChanged`.
    void show(std::shared_ptr<const DeviceAnalysis> analysis, std::int64_t first, std::int64_t last,
        const QString& name = {});
    void setColors(const ThemeColors& colors);
    /// Removes the range and hides the panel.
    void clear();

    /// Returns the figures on screen; nullopt while the panel is hidden.
    const std::optional<RangeFigures>& figures() const { return m_figures; }

signals:
    void figuresChanged();
    void eventRequested(qint64 event);
    /// Requests to zoom to the events [first, last).
    void zoomRequested(qint64 first, qint64 last);
    /// The user wants to add this note on the range [first, last).
    void noteRequested(const highwater::Note& draft);
    /// The user removed the range; the panel is already cleared.
    void cleared();

private:
    struct Row
    {
        QLabel* name;
        QLabel* count;
        QLabel* bytes;
    };

    void layOut();
    QPushButton* makeNoteButton();
    Row addRow(const QString& name, const QString& objectName, const QString& tip);
    void fillRow(const Row& row, const CountedBytes& figure);
    void acceptFigures(const std::shared_ptr<const DeviceAnalysis>& analysis, const RangeFigures& figures);
    QString headingOf(const DeviceAnalysis& analysis) const;

    void showLeftBehind(const StepTable& table);
    void showPeak();

    LatestTask m_task;
    ThemeColors m_colors;
    QString m_name;
    std::optional<RangeFigures> m_figures;
    QLabel* m_heading;
    QGridLayout* m_grid;
    Row m_atBegin;
    Row m_born;
    Row m_freed;
    Row m_bornAndFreed;
    Row m_atEnd;
    Row m_surviving;
    QLabel* m_leftBehind; ///< shown for a step that has a step after it
    QLabel* m_sum;
    QLabel* m_peak;
};

} // namespace highwater::gui

#pragma once

#include <memory>
#include <optional>

#include "app/models/table_model.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/selection.h"
#include "core/analysis/steps/folded_steps.h"

class QContextMenuEvent;
class QTableView;
class QToolButton;

namespace highwater::gui {

class ElidedLabel;
class FoldedChart;
class StepChart;

/// The steps of the run: a chart of their peaks, in a wide view a chart of all steps folded on one, a table
/// next to the charts, and a sentence on how the steps were found and which one is highest. Choosing a step
/// moves the timeline; moving the cursor of the timeline selects the step at the cursor.
class StepsView : public AnalysisPanel
{
    Q_OBJECT

public:
    explicit StepsView(Selection& selection, QWidget* parent = nullptr);

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    void setColors(const ThemeColors& colors) override;
    void setCapacity(const std::optional<DeviceCapacity>& capacity) override;
    std::optional<Note> noteHere() const override;
    /// Shows notes on steps or inside them.
    void showNotes(const Notes& notes, const NoteSubject& subject) override;

    /// Selects the step in chart and table; the timeline does not move.
    void selectStep(std::optional<std::size_t> step);
    std::optional<std::size_t> selectedStep() const { return m_selected; }
    /// Returns the text above the chart.
    QString text() const;

    StepChart& chart() { return *m_chart; }
    FoldedChart& folded() { return *m_folded; }
    QTableView& table() { return *m_table; }

signals:
    /// The user wants to find the steps in another way.
    void stepsRequested(const highwater::StepRequest& request);
    /// The user wants this command for a step, given by its index.
    void stepRequested(quint64 step, highwater::gui::StepCommand command);
    /// The user wants to compare two steps, given by their indices.
    void comparisonRequested(quint64 first, quint64 second);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void connectParts();
    void refresh();
    void followCursor();
    void chooseStep(std::size_t step);
    void fillSources();
    void findSources();
    void foldSteps();
    void showFolded(const std::optional<FoldedSteps>& folded);
    void shareWidth();
    void markSelected();
    void askForPattern();
    void connectNotes();
    void showRowMenu(const QContextMenuEvent& event);
    void makeRoomForNotes();
    void showSteps();
    void openCell(const QModelIndex& index);

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::vector<StepSource> m_usableSources; ///< sources that find steps on this device
    LatestTask m_sourceTask;
    LatestTask m_foldTask;
    bool m_isStale = false; ///< the device changed while this view was hidden
    std::optional<std::size_t> m_selected;
    bool m_isSelecting = false; ///< the table is being set from the selected step, not by the user
    ElidedLabel* m_sentence;
    QToolButton* m_sources;
    QToolButton* m_differences; ///< begins the chart's axis near the lowest peak
    StepChart* m_chart;
    ElidedLabel* m_chartKey; ///< title of the chart, and its lines
    FoldedChart* m_folded;
    QWidget* m_foldedColumn; ///< `m_folded` under its title
    std::vector<NoteFlag> m_notes; ///< notes on steps, sorted by step
    TableModel* m_model;
    QTableView* m_table;
};

} // namespace highwater::gui

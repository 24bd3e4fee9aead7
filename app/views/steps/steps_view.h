#pragma once

#include <memory>
#include <optional>

#include "app/models/table_model.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/selection.h"

class QLabel;
class QTableView;
class QToolButton;

namespace highwater::gui {

class StepChart;

/// The steps of the run: a chart of their peaks, a table next to it, and in words how the steps were found
/// and whether memory grows. Choosing a step moves the timeline; the cursor of the timeline chooses the step.
class StepsView : public AnalysisPanel
{
    Q_OBJECT

public:
    explicit StepsView(Selection& selection, QWidget* parent = nullptr);

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    void setColors(const ThemeColors& colors) override;
    void setCapacity(const std::optional<DeviceCapacity>& capacity) override;
    std::optional<Note> noteHere() const override;
    /// Notes on steps, or in them: `first` is the step.
    void showNotes(const Notes& notes, const NoteSubject& subject) override;

    /// Selects it in chart and table; the timeline stays where it is.
    void selectStep(std::optional<std::size_t> step);
    std::optional<std::size_t> selectedStep() const { return m_selected; }
    /// The text above the chart.
    QString text() const;

    StepChart& chart() { return *m_chart; }
    QTableView& table() { return *m_table; }

signals:
    /// The steps are to be found in another way.
    void stepsRequested(const highwater::StepRequest& request);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    void connectParts();
    void refresh();
    void followCursor();
    void chooseStep(std::size_t step);
    void showLargest(std::size_t step);
    void fillSources();
    void findSources();
    void askForPattern();
    void connectNotes();
    void makeRoomForNotes();
    void showSteps();

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::vector<StepSource> m_usable; ///< the sources that find steps on this device
    LatestTask m_finder;
    bool m_stale = false; ///< another device was shown while this was hidden
    std::optional<std::size_t> m_selected;
    bool m_selecting = false; ///< the table follows, it does not lead
    QLabel* m_sentence;
    QToolButton* m_sources;
    StepChart* m_chart;
    std::vector<NoteFlag> m_notes; ///< by step
    TableModel* m_model;
    QTableView* m_table;
};

} // namespace highwater::gui

#pragma once

#include <memory>

#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_state.h"
#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;
class QToolButton;

namespace highwater::gui {

class ElidedLabel;
class FigureView;
class FoldedText;

/// The memory that the run should need by its configuration, compared with the observed memory: each line
/// with its formula, and the effect of other settings. Without a configuration, only the GPUs that the
/// observed memory fits on. The budget is computed off the GUI thread, once the view is visible.
class BudgetView : public AnalysisPanel
{
    Q_OBJECT

public:
    /// `run` must outlive the view.
    explicit BudgetView(RunState& run, QWidget* parent = nullptr);

    /// Does nothing: the RunState decides what is shown.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_task.isBusy() && !m_run.isBusy(); }

    /// Computes the budget for a grid of other settings, such as "batch=1,2,4 seq_len=256,512". Without a
    /// configuration, they are ignored.
    void computeForSettings(const QString& settings);
    /// Returns the budget that was computed last; null before the first one.
    const std::shared_ptr<const BudgetStudy>& study() const { return m_study; }

    FigureView& lines() { return *m_lines; }
    QComboBox& variations() { return *m_variations; }
    QTableView& grid() { return *m_grid; }
    QLineEdit& settings() { return *m_settings; }
    /// Opens the column with other settings, summary and assumptions, which leaves the lines less room.
    /// Hidden without a configuration.
    QToolButton& whatIfButton() { return *m_whatIf; }

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void layOut();
    QWidget* makeSidePanel();
    void connectParts();
    void chooseFile();
    void computeStudy();
    void followRun();
    void acceptStudy(std::shared_ptr<const BudgetStudy> study);
    void showTrouble(const std::string& sentence);
    void showStudy();
    void showSide();
    void showFigure();
    void showSentences();
    void showVariations();
    void fitFigure();

    RunState& m_run;
    bool m_isStale = false; ///< to be recomputed when the view becomes visible
    std::shared_ptr<const BudgetStudy> m_study;
    ElidedLabel* m_headline;
    ElidedLabel* m_subline; ///< which GPU it fits, and the largest gap
    QToolButton* m_whatIf; ///< checked while the column at the right is open
    QPushButton* m_choose;
    QLabel* m_sentences;
    QComboBox* m_variations;
    QLineEdit* m_settings;
    FigureView* m_lines;
    QTableView* m_grid;
    QLabel* m_gridNotes; ///< below the grid; or why there is none
    FoldedText* m_summary;
    FoldedText* m_assumed;
    FoldedText* m_notIncluded;
    QWidget* m_side;
    QSplitter* m_body;
    LatestTask m_task;
};

} // namespace highwater::gui

#pragma once

#include <memory>

#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_state.h"
#include "core/analysis/budget/budget_study.h"
#include "core/table/table.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace highwater::gui {

/// The memory that the run should need by its configuration, compared with what was observed: line by line
/// with the formula, which GPUs it fits, and what changes with other settings.
class BudgetView : public AnalysisPanel
{
    Q_OBJECT

public:
    /// `run` must outlive it.
    explicit BudgetView(RunState& run, QWidget* parent = nullptr);

    /// The RunState tells what to show.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_task.isBusy() && !m_run.isBusy(); }

    /// "batch=1,2,4 seq_len=256,512": a grid of other settings.
    void tryOut(const QString& settings);
    /// Null until it has been computed.
    const std::shared_ptr<const BudgetStudy>& study() const { return m_study; }

    /// Everything that is said in words, or why there is nothing.
    QString text() const;
    QTableView& lines() { return *m_lines; }
    QTableView& gpus() { return *m_gpus; }
    QTableView& grid() { return *m_grid; }
    QLineEdit& settings() { return *m_settings; }

protected:
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void layOut();
    QTableView* makeTable(const char* name, const QString& accessibleName);
    void showTable(QTableView& view, Table table);
    void chooseFile();
    void workOut();
    void takeRun();
    void accept(std::shared_ptr<const BudgetStudy> study);
    void showTrouble(const std::string& sentence);
    void showStudy();

    RunState& m_run;
    bool m_isStale = false; ///< to be recomputed when the view becomes visible
    std::shared_ptr<const BudgetStudy> m_study;
    QPushButton* m_choose;
    QLabel* m_sentences;
    QLineEdit* m_settings;
    QTableView* m_lines;
    QTableView* m_gpus;
    QTableView* m_grid;
    LatestTask m_task;
};

} // namespace highwater::gui

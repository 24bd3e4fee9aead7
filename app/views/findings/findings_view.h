#pragma once

#include <vector>

#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/view/band_view.h"
#include "app/workspace/view/selection.h"

class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace highwater::gui {

class FindingDelegate;

/// What is wrong with the run: a row for each finding, with the bytes that it saves and its grade. Unfolded
/// it has its evidence and what to do next; every piece of evidence leads to where it can be seen. Facts are
/// shown on demand, or where there is nothing else.
class FindingsView : public AnalysisPanel
{
    Q_OBJECT

public:
    /// All of them must outlive it.
    FindingsView(const RunState& run, BandView& bandView, QWidget* parent = nullptr);

    /// The RunState tells what to show.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_run.isBusy(); }

    /// Each row's link is the data of its first column: "finding:N", "evidence:N:M", "keep:N", "meaning:N".
    QTreeWidget& list() { return *m_list; }

signals:
    /// A line of the run's log.
    void logLineRequested(quint64 line);
    /// The view of this name.
    void viewRequested(const QString& name);
    /// A page of the manual, by its file.
    void manualRequested(const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    void makeList();
    void refresh();
    void addRows(const std::vector<Finding>& all, const Diagnosis& diagnosis, FindingKind kind);
    void addRow(const Finding& finding, std::size_t number);
    QTreeWidgetItem* addEvidence(
        QTreeWidgetItem& row, const QString& link, const QString& text, const QString& action);
    void click(QTreeWidgetItem* row, int column);
    void follow(const QString& link);
    void showSubject(const Finding& finding, const RunStudy& run);
    void lead(const EvidenceTarget& target, const RunStudy& run);
    void highlight(std::vector<bool> members);

    const RunState& m_run;
    BandView& m_bandView;
    QLabel* m_note; ///< where there are no rows yet
    QTreeWidget* m_list;
    QToolButton*
        m_facts; ///< made after the list: Tab comes from the view to its proxy and goes on from there
    FindingDelegate* m_delegate;
};

} // namespace highwater::gui

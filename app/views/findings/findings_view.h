#pragma once

#include <optional>
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

/// The findings of the run: a row for each, with the bytes that its remedy saves and its grade. An unfolded
/// row shows the next step and the evidence, each piece with a link to its place. Faults come first; facts
/// are shown on demand, or if there are no faults. Where the view is too narrow for the next step in a row,
/// the first row is unfolded if everything then fits in the height.
class FindingsView : public AnalysisPanel
{
    Q_OBJECT

public:
    /// Both must outlive the view.
    FindingsView(const RunState& run, BandView& bandView, QWidget* parent = nullptr);

    /// Does nothing: the RunState decides what is shown.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_run.isBusy(); }

    /// Returns the list of findings. The `Qt::UserRole` of a row's first column is its link: "finding:N",
    /// "evidence:N:M", "curve:N", "keep:N" or "meaning:N"; empty if it has none.
    QTreeWidget& list() { return *m_list; }
    /// Shows what the finding with this number in the study is about, if the findings are complete. Selects
    /// and unfolds its row if it is listed.
    void showFinding(std::size_t number);

signals:
    /// The user wants to see this line of the run's log.
    void logLineRequested(quint64 line);
    /// The user wants to open the view with this name.
    void viewRequested(const QString& name);
    /// The user wants to read this page of the manual, given by its file.
    void manualRequested(const QString& file);
    /// The user points at the saving of this finding; nullopt for none.
    void fixPointedAt(std::optional<std::size_t> finding);
    /// The user wants to keep the curve without this finding on screen.
    void fixChosen(std::size_t finding);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    void makeList();
    void refresh();
    void unfoldWhereItFits();
    void addRow(const Finding& finding, std::size_t number);
    QTreeWidgetItem* addEvidence(
        QTreeWidgetItem& row, const QString& link, const QString& text, const QString& action);
    void clickRow(QTreeWidgetItem* row, int column);
    void followLink(const QString& link);
    void showCurve(std::size_t number);
    void showInTimeline(const Finding& finding, std::optional<std::size_t> piece);
    void showSubject(const Finding& finding, const RunStudy& run);
    void showTarget(const EvidenceTarget& target, const RunStudy& run);
    void highlight(std::vector<bool> members, const QString& name = {});

    const RunState& m_run;
    BandView& m_bandView;
    QLabel* m_note; ///< shown until the first finding or the end of the search
    QTreeWidget* m_list;
    QToolButton* m_facts; ///< created after the list, so that Tab moves from the list to this button
    FindingDelegate* m_delegate;
};

} // namespace highwater::gui

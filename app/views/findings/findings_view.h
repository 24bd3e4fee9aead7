#pragma once

#include <vector>

#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/view/band_view.h"
#include "app/workspace/view/selection.h"

class QTextBrowser;
class QUrl;

namespace highwater::gui {

/// The summary: what is wrong with the run in sentences, each with its figure, its evidence and what to do
/// next; every piece of evidence leads to where it can be seen.
class FindingsView : public AnalysisPanel
{
    Q_OBJECT

public:
    /// All of them must outlive it.
    FindingsView(const RunState& run, Selection& selection, BandView& bandView, QWidget* parent = nullptr);

    /// The RunState tells what to show.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_run.isBusy(); }

    /// All that it says, as plain text.
    QString text() const;
    QTextBrowser& browser() { return *m_browser; }

signals:
    /// A line of the run's log.
    void logLineRequested(quint64 line);
    /// The view of this name.
    void viewRequested(const QString& name);

private:
    void refresh();
    void follow(const QUrl& link);
    void lead(const EvidenceTarget& target, const RunStudy& run);
    void highlight(std::vector<bool> members);

    const RunState& m_run;
    Selection& m_selection;
    BandView& m_bandView;
    ThemeColors m_colors = ThemeColors::light();
    QTextBrowser* m_browser;
};

} // namespace highwater::gui

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/views/findings/device_findings.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/tasks/latest_task.h"
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
    FindingsView(Selection& selection, BandView& bandView, QWidget* parent = nullptr);
    ~FindingsView() override;

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    void setColors(const ThemeColors& colors) override;
    void setCapacity(const std::optional<DeviceCapacity>& capacity) override;
    bool isSettled() const override { return !m_task.isBusy(); }

    /// Other files of the run, which findings may rest on.
    void setCompanions(std::vector<std::pair<QString, std::shared_ptr<const Trace>>> companions);

    /// The run's configuration, JSON or YAML; empty: none.
    void setConfiguration(const QString& path);

    /// Null until they are worked out.
    const std::shared_ptr<const DeviceFindings>& findings() const { return m_found; }
    /// All that it says, as plain text.
    QString text() const;
    QTextBrowser& browser() { return *m_browser; }

signals:
    /// `findings` is another one.
    void findingsChanged();
    /// A line of another file.
    void logLineRequested(const QString& path, quint64 line);
    /// The view of this name.
    void viewRequested(const QString& name);

private:
    void workOut();
    void refresh();
    void follow(const QUrl& link);
    void lead(const EvidenceTarget& target);
    void highlight(std::vector<bool> members);

    Selection& m_selection;
    BandView& m_bandView;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::optional<DeviceCapacity> m_capacity;
    std::vector<std::pair<QString, std::shared_ptr<const Trace>>> m_companions;
    QString m_configuration;
    std::shared_ptr<const DeviceFindings> m_found;
    ThemeColors m_colors = ThemeColors::light();
    QTextBrowser* m_browser;
    LatestTask m_task;
};

} // namespace highwater::gui

#pragma once

#include <memory>
#include <vector>

#include <QTabWidget>

#include "app/views/parts/analysis_panel.h"

class QToolButton;

namespace highwater::gui {

/// The panels below the timeline, one tab for each question. When collapsed, only the tabs are visible; when
/// expanded, the open panel takes the timeline's room. Signals of the panels are passed on.
class PanelTabs : public QTabWidget
{
    Q_OBJECT

public:
    explicit PanelTabs(QWidget* parent = nullptr);

    /// Takes ownership of a panel. `name` is used by `--view` and the settings: "steps", "moment", …
    void add(AnalysisPanel* view, const QString& name, const QString& title, const QString& tip);
    /// Enables the tab if the run has the data for the view; otherwise the tool tip says why the tab is
    /// disabled, and the first view is opened if this one was open.
    void setOffered(const AnalysisPanel* view, bool offered, const QString& whyNot = {});
    /// Opens the view with this name, or opens it later once it is offered. Returns false if there is no view
    /// of this name.
    bool open(const QString& name);
    /// Returns the name of the open view; empty while collapsed.
    QString openName() const;
    AnalysisPanel* current() const;
    const std::vector<AnalysisPanel*>& views() const { return m_views; }

    void showDevice(const std::shared_ptr<const DeviceAnalysis>& analysis);
    void setColors(const ThemeColors& colors);
    void setCapacity(const std::optional<DeviceCapacity>& capacity);

    enum class Extent
    {
        Collapsed,
        Shared,
        Expanded
    };
    Extent extent() const { return m_extent; }
    void setExtent(Extent extent);

    /// Smaller than the views' own minimum, so that the window can be narrower than the widest view.
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

signals:
    /// The set of offered views may have changed.
    void offered();
    void eventRequested(qint64 event);
    void viewOfEventRequested(qint64 event);
    void rangeRequested(qint64 first, qint64 last);
    void allocationRequested(quint32 allocation);
    void allocationPinned(quint32 allocation);
    void timelineWanted();
    void noteRequested(const highwater::Note& draft);
    /// The extent has changed, or another view was opened.
    void extentChanged();
    /// The content of the open view is complete.
    void settled();

private:
    void clickTab(int index);
    void keepFocus();
    int heightWithView(int viewHeight) const;
    void applyExtent();

    std::vector<AnalysisPanel*> m_views;
    QStringList m_tips; ///< tool tips of the tabs while they are offered
    QToolButton* m_expand = nullptr;
    QToolButton* m_collapse = nullptr;
    Extent m_extent = Extent::Shared;
    QString m_awaited; ///< name of the view to open once it is offered
};

} // namespace highwater::gui

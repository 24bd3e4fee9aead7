#pragma once

#include <memory>
#include <vector>

#include <QTabWidget>

#include "app/views/parts/analysis_panel.h"

class QToolButton;

namespace highwater::gui {

/// The views below the timeline, one tab for each question. Collapsed it is only its tabs; expanded it takes
/// the timeline's room.
class PanelTabs : public QTabWidget
{
    Q_OBJECT

public:
    explicit PanelTabs(QWidget* parent = nullptr);

    /// `name` is what `--view` and settings call it: "steps", "moment", …
    void add(AnalysisPanel* view, const QString& name, const QString& title, const QString& tip);
    /// Whether the run has what the view is about; else its tab is disabled and says why.
    void setOffered(const AnalysisPanel* view, bool offered, const QString& whyNot = {});
    /// Opens the view of this name, which waits while it is not offered; false: there is none.
    bool open(const QString& name);
    /// Name of the open one; empty while collapsed.
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

    /// Not what its views ask for together: a window may be narrower than the widest of them.
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

signals:
    /// Which of them are offered.
    void offered();
    void eventRequested(qint64 event);
    void rangeRequested(qint64 first, qint64 last);
    void allocationRequested(quint32 allocation);
    void noteRequested(const highwater::Note& draft);
    void extentChanged();
    /// The open view is complete.
    void settled();

private:
    void clickTab(int index);
    int heightWith(int view) const;
    void applyExtent();

    std::vector<AnalysisPanel*> m_views;
    QStringList m_tips; ///< of their tabs, while they are offered
    QToolButton* m_expand = nullptr;
    QToolButton* m_collapse = nullptr;
    Extent m_extent = Extent::Shared;
    QString m_awaited; ///< to be opened as soon as it is offered
};

} // namespace highwater::gui

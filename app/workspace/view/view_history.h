#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include <QObject>
#include <QTimer>

#include "app/workspace/view/visible_range.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

/// A view to return to: the range on both axes, the kind of axis, the device, and the highlight.
struct View
{
    double xBegin = 0;
    double xEnd = 1;
    double yBottom = 0;
    double yTop = 1;
    AxisKind axis = AxisKind::Event;
    DeviceIndex device = 0;
    std::shared_ptr<const std::vector<bool>> highlight; ///< by allocation; null if nothing is highlighted
    QString highlightName;

    bool operator==(const View&) const = default;
};

/// The views of one document, to go back and forward like pages in a browser.
///
/// A view is added when it has stayed for a while, or right before the user jumps elsewhere (`beginJump`) or
/// the axis, the device or the highlight changes: a burst of the wheel or a drag is one entry. After
/// kMaxEntries views the oldest is forgotten.
class ViewHistory : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kStay{400};
    static constexpr std::size_t kMaxEntries = 200;

    explicit ViewHistory(
        const VisibleRange& range, QObject* parent = nullptr, std::chrono::milliseconds stay = kStay);

    /// Starts again for another document; the current range, without a highlight, is the first entry.
    void restart(AxisKind axis, DeviceIndex device);
    /// Sets another axis or device; must be called before the range gets its limits.
    void setSubject(AxisKind axis, DeviceIndex device);
    /// Sets another highlight.
    void setHighlight(std::shared_ptr<const std::vector<bool>> highlight, const QString& name = {});
    /// Adds the current view now, however short it stayed, because the view is about to jump.
    void beginJump() { enterPending(); }

    bool canGoBack() const { return m_currentEntry > 0 || m_pending; }
    bool canGoForward() const { return !m_pending && m_currentEntry + 1 < m_entries.size(); }
    void back();
    void forward();
    /// Returns the number of views in the history.
    std::size_t count() const { return m_entries.size(); }

signals:
    /// `canGoBack` or `canGoForward` may have changed.
    void changed();
    /// Asks to show this view before the signal returns.
    void restore(const highwater::gui::View& view);

private:
    View current() const;
    void followRange();
    void enterPending();
    void addEntry(const View& view);
    void goTo(std::size_t entry);

    const VisibleRange& m_range;
    AxisKind m_axis = AxisKind::Event;
    DeviceIndex m_device = 0;
    std::shared_ptr<const std::vector<bool>> m_highlight;
    QString m_highlightName;
    std::vector<View> m_entries;
    std::size_t m_currentEntry = 0; ///< entry in view, or the one before a pending view
    bool m_pending = false; ///< the view differs from the entry and has not been added yet
    bool m_restoring = false;
    QTimer m_stayTimer;
};

} // namespace highwater::gui

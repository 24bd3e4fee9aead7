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

/// A view that can be come back to: which part, of which axis, of which device, and what is highlighted in
/// it.
struct View
{
    double xBegin = 0;
    double xEnd = 1;
    double yBottom = 0;
    double yTop = 1;
    AxisKind axis = AxisKind::Event;
    DeviceIndex device = 0;
    std::shared_ptr<const std::vector<bool>> highlight; ///< by allocation; null: nothing is

    bool operator==(const View&) const = default;
};

/// The views of one document, to go back and forward through like pages.
///
/// A view enters when it has stayed for a while, or when the user goes elsewhere in one step (`beginJump`): a
/// burst of the wheel or a drag is one entry, and no place that was looked at is lost.
class ViewHistory : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kStay{400};
    static constexpr std::size_t kMostEntries = 200;

    explicit ViewHistory(
        const VisibleRange& range, QObject* parent = nullptr, std::chrono::milliseconds stay = kStay);

    /// Another document: forgets everything; what the range holds now is the first entry.
    void restart(AxisKind axis, DeviceIndex device);
    /// Another axis or device, said before the range gets its limits.
    void setSubject(AxisKind axis, DeviceIndex device);
    /// Something else is highlighted.
    void setHighlight(std::shared_ptr<const std::vector<bool>> highlight);
    /// The view changes in one step: what is in view enters now, however short it stayed.
    void beginJump() { enterPending(); }

    bool canBack() const { return m_at > 0 || m_pending; }
    bool canForward() const { return !m_pending && m_at + 1 < m_entries.size(); }
    void back();
    void forward();
    /// Number of views that have entered.
    std::size_t count() const { return m_entries.size(); }

signals:
    /// `canBack` or `canForward` may have changed.
    void changed();
    /// To be shown now, before the signal returns.
    void restore(const highwater::gui::View& view);

private:
    View current() const;
    void follow();
    void enterPending();
    void enter(const View& view);
    void goTo(std::size_t entry);

    const VisibleRange& m_range;
    AxisKind m_axis = AxisKind::Event;
    DeviceIndex m_device = 0;
    std::shared_ptr<const std::vector<bool>> m_highlight;
    std::vector<View> m_entries;
    std::size_t m_at = 0; ///< the entry in view, or the last one before the view that has not entered yet
    bool m_pending = false; ///< the view is another one than the entry's and has not entered yet
    bool m_restoring = false;
    QTimer m_stay;
};

} // namespace highwater::gui

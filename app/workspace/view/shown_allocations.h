#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/selection.h"
#include "core/analysis/usage/live_sets.h"

namespace highwater::gui {

/// The allocations that the user wants to see.
enum class MomentChoice
{
    Cursor, ///< alive at the moment of the cursor; without one at the key moment of the run
    Peak, ///< alive at the run's peak
    StepPeak, ///< alive at the peak of the step at the cursor
    Born, ///< allocated in the range
    Freed, ///< freed in the range, whenever allocated
    Survived ///< allocated in the range and in use after it
};

/// Some allocations of one device, with a title that describes them.
struct Moment
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    LiveSet set;
    QString title; ///< "After event 5,701, the peak: 21.26 GiB in 2,254 allocations"
};

/// The allocations that the user has chosen, updated when another moment is chosen or another range is
/// marked. The range is the one marked last, or if none was marked, the events in view when the user chose;
/// zooming and ending the range keep it. The set is computed off the GUI thread, and only while its view is
/// visible.
class ShownAllocations : public QObject
{
    Q_OBJECT

public:
    explicit ShownAllocations(Selection& selection, QObject* parent = nullptr);

    /// Sets another device; null for none. The previous set is dropped at once. Another device or file begins
    /// with MomentChoice::Cursor.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    /// Chooses the allocations, and the range that is marked or in view now. Peak and StepPeak move the
    /// cursor there while the view is visible.
    void choose(MomentChoice choice);
    MomentChoice choice() const { return m_choice; }
    /// Leaves out the allocations of other categories; nullopt leaves out none.
    void setCategory(std::optional<Category> category);
    /// Returns "At: Cursor"; without a cursor the moment in its place, such as "When memory ran out".
    QString cursorName() const;
    /// True if there is no cursor and the run's key moment is its peak.
    bool isPeakWithoutCursor() const;
    /// Must be called when the view is shown or hidden; missed changes are then caught up on.
    void setActive(bool active);

    /// Returns the newest complete set; null without a device, or before the first is complete.
    const std::shared_ptr<const Moment>& moment() const { return m_moment; }
    /// True if a newer set is being computed.
    bool isBusy() const { return m_task.isBusy() || (m_active && m_analysis && !m_moment); }

signals:
    void changed();

private:
    void moveCursor();
    void followCursor();
    void followRange();
    void takeRange();
    void refresh();
    LiveSetSpec wantedSet() const;
    std::int64_t cursorEvent() const;

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    MomentChoice m_choice = MomentChoice::Cursor;
    std::optional<Category> m_category;
    std::optional<Selection::EventRange> m_range; ///< nullopt for the whole trace
    bool m_active = false;
    std::shared_ptr<const Moment> m_moment;
    std::optional<LiveSetSpec> m_requestedSet;
    FrameThrottle m_throttle;
    LatestTask m_task;
};

/// Returns the last step that begins at or before this event, or the first step if none does. Returns nothing
/// if there are no steps.
std::optional<std::size_t> stepAt(const DeviceAnalysis& analysis, std::int64_t event);

} // namespace highwater::gui

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

/// Which allocations the user wants to look at.
enum class MomentChoice
{
    Cursor, ///< alive where the cursor is or was last; before it has been anywhere: at the peak
    Peak, ///< alive at the run's peak
    StepPeak, ///< alive at the peak of the step that the cursor is in
    Born, ///< born in the marked range; without one: in the whole trace
    Freed,
    Survived
};

/// Some allocations of one device, and in words which they are.
struct Moment
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    LiveSet set;
    QString title; ///< "At event 5,701, the peak: 21.26 GiB requested in 2,254 allocations"
};

/// The allocations that the user has chosen, following selection and cursor. The set is worked out off the
/// GUI thread, and only while somebody looks.
class MomentSubject : public QObject
{
    Q_OBJECT

public:
    explicit MomentSubject(Selection& selection, QObject* parent = nullptr);

    /// Another device; null: none. What was shown is dropped at once.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    void choose(MomentChoice choice);
    MomentChoice choice() const { return m_choice; }
    /// Whether somebody looks; what changed meanwhile is caught up with.
    void setActive(bool active);

    /// The newest set that is complete; null without a device, or before the first is.
    const std::shared_ptr<const Moment>& moment() const { return m_moment; }
    /// Whether a newer one is on its way.
    bool isBusy() const { return m_task.isBusy() || (m_active && m_analysis && !m_moment); }

signals:
    void changed();

private:
    void showPlace();
    void followCursor();
    void followRange();
    void refresh();
    LiveSetSpec wanted() const;
    std::int64_t cursorEvent() const;

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    MomentChoice m_choice = MomentChoice::Cursor;
    std::optional<std::int64_t> m_lastCursor;
    bool m_active = false;
    std::shared_ptr<const Moment> m_moment;
    std::optional<LiveSetSpec> m_asked;
    FrameThrottle m_pace;
    LatestTask m_task;
};

/// Step whose events hold this one; none: there are no steps.
std::optional<std::size_t> stepAt(const DeviceAnalysis& analysis, std::int64_t event);

} // namespace highwater::gui

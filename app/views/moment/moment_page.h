#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/band_view.h"
#include "app/workspace/view/shown_allocations.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/composition/kept_blocks.h"
#include "core/analysis/stacks/call_tree.h"
#include "core/figure/layout/flame_layout.h"
#include "core/run/note.h"

class QItemSelectionModel;

namespace highwater::gui {

/// Returns the event by which a block must be kept to count as kept: the event of the moment. For a range it
/// is later than all events, so every block counts that is ever kept.
inline std::int64_t keptAt(const LiveSet& set)
{
    return set.spec.kind == LiveSetKind::Alive ? set.spec.first : KeptBlocks::kNever - 1;
}

/// Options of all pages; each page uses those that apply to it.
struct MomentOptions
{
    GroupKey group = GroupKey::Site;
    FrameDetail detail = FrameDetail::Python;
    FlameWeight weight = FlameWeight::Size;
    QString search;

    bool operator==(const MomentOptions&) const = default;
};

/// One way to show the allocations of a moment, such as a table or a flame graph. A subclass computes its
/// content off the GUI thread with `compute`; the previous content stays on screen until the new one is
/// ready. Sets of allocations ("members") are flags by position in `Moment::set`.
class MomentPage : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Shows a moment with these options; null shows nothing. Does nothing if both are unchanged.
    void show(std::shared_ptr<const Moment> moment, const MomentOptions& options);
    virtual void setColors(const ThemeColors& colors) = 0;
    /// Returns the text for the clipboard, cells separated by tabs: the selection, or everything on a page
    /// without one.
    virtual QString text(bool onlySelected) const = 0;
    /// True if Esc can go back one step on this page.
    virtual bool canGoBack() const { return false; }
    /// Goes back one step. `canGoBack` must be true.
    virtual void goBack() { }
    bool isSettled() const { return !m_task.isBusy(); }
    /// Returns a new note on the chosen row; nullopt if that row has no place of its own.
    virtual std::optional<Note> noteHere() const { return std::nullopt; }
    /// Returns the result of the search, such as "Found 12 functions: 3.2 GiB"; empty without a search, and
    /// on pages that count no matches.
    const QString& answer() const { return m_answer; }

signals:
    /// Requests to highlight these allocations of the device, under this name; null shows all of them as
    /// usual.
    void highlightRequested(
        std::shared_ptr<const std::vector<bool>> allocations, const QString& name = QString());
    /// Requests to pin this allocation; the moment stays.
    void allocationPinned(quint32 allocation);
    /// The user wants to add this note.
    void noteRequested(const highwater::Note& draft);
    /// The content on screen is complete.
    void settled();

protected:
    /// Returns the moment last passed to `show`; null if there is none.
    const std::shared_ptr<const Moment>& wanted() const { return m_wanted; }
    const MomentOptions& options() const { return m_options; }
    /// Returns the moment on screen, which is an earlier one while the newest is being computed; null if
    /// there is none.
    const std::shared_ptr<const Moment>& shown() const { return m_shown; }

    /// Brings `wanted()` on screen.
    virtual void refresh() = 0;
    /// Runs `work(moment, options)` off the GUI thread on `wanted()`, which must not be null. Then, on the
    /// GUI thread, sets `shown()` and calls `accept(result)`. A result for an earlier device is dropped.
    template <typename Work, typename Accept>
    void compute(Work work, Accept accept);
    void setAnswer(const QString& answer) { m_answer = answer; }
    /// Highlights members of the shown set under a name, which may be empty.
    void highlight(const std::vector<bool>& members, const QString& name = {});
    /// Returns the name of the selected row, or the number of rows if several are selected.
    static QString nameOf(const QItemSelectionModel& selection);
    /// Returns the largest of the members; kNone if there are none.
    AllocationIndex largestOf(const std::vector<bool>& members) const;
    /// Requests to pin the largest of the members, if there are any.
    void pinLargest(const std::vector<bool>& members);

private:
    std::shared_ptr<const Moment> m_wanted;
    std::shared_ptr<const Moment> m_shown;
    MomentOptions m_options;
    QString m_answer;
    LatestTask m_task;
};

template <typename Work, typename Accept>
void MomentPage::compute(Work work, Accept accept)
{
    m_task.run([this, work, accept, moment = m_wanted, options = m_options]() -> LatestTask::Delivery {
        auto result = work(*moment, options);
        return [this, accept, moment, result] {
            if (m_wanted && moment->analysis == m_wanted->analysis) {
                m_shown = moment;
                accept(result);
            }
            if (isSettled())
                emit settled();
        };
    });
}

/// Returns the call tree of a moment's allocations with the frames that the options ask for.
std::shared_ptr<const CallTree> treeOf(const Moment& moment, const MomentOptions& options,
    CallDirection direction, FrameLines lines = FrameLines::Apart);

} // namespace highwater::gui

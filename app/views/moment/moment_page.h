#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/band_view.h"
#include "app/workspace/view/moment_subject.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/stacks/call_tree.h"
#include "core/figure/layout/flame_layout.h"
#include "core/run/note.h"

namespace highwater::gui {

/// Options of a moment; each page uses those that concern it.
struct MomentOptions
{
    GroupKey group = GroupKey::Site;
    FrameDetail detail = FrameDetail::Python;
    FlameWeight weight = FlameWeight::Size;
    QString search;

    bool operator==(const MomentOptions&) const = default;
};

/// One way to show the allocations of a moment. What takes time is worked out off the GUI thread; until it is
/// there, what was shown stays.
class MomentPage : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Null: nothing.
    void show(std::shared_ptr<const Moment> moment, const MomentOptions& options);
    virtual void setColors(const ThemeColors& colors) = 0;
    /// For the clipboard: what is selected, or all that it shows; cells of a row between tabs.
    virtual QString text(bool onlySelected) const = 0;
    /// Whether there is a step to go back, which is what Esc does.
    virtual bool canGoBack() const { return false; }
    virtual void goBack() { }
    bool isSettled() const { return !m_task.isBusy(); }
    /// A new note on the chosen row; none: it has no place of its own.
    virtual std::optional<Note> noteHere() const { return std::nullopt; }
    /// "Found 12 functions: 3.20 GiB"; empty without a search.
    const QString& answer() const { return m_answer; }

signals:
    /// Requests to highlight these allocations of the device; null: all.
    void highlightRequested(std::shared_ptr<const std::vector<bool>> allocations);
    /// Pin this allocation.
    void allocationRequested(quint32 allocation);
    /// The user wants a note like this one.
    void noteRequested(const highwater::Note& draft);
    /// What it shows has become complete.
    void settled();

protected:
    /// What it was last asked to show; null: nothing.
    const std::shared_ptr<const Moment>& wanted() const { return m_wanted; }
    const MomentOptions& options() const { return m_options; }
    /// What it shows: an earlier one while the newest is on its way.
    const std::shared_ptr<const Moment>& shown() const { return m_shown; }

    /// Shows what is wanted.
    virtual void refresh() = 0;
    /// Runs `work(moment, options)` off the GUI thread and then `accept(result)` on it, with `shown` set.
    template <typename Work, typename Accept>
    void compute(Work work, Accept accept);
    void setAnswer(const QString& answer) { m_answer = answer; }
    /// Highlights allocations, by position in the set shown.
    void highlight(const std::vector<bool>& members);
    /// The largest allocation among these positions of the set; kNone without any.
    AllocationIndex largestOf(const std::vector<bool>& members) const;
    /// Requests to pin that one.
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
    m_task.run([this, work, accept, of = m_wanted, options = m_options]() -> LatestTask::Delivery {
        auto result = work(*of, options);
        return [this, accept, of, result] {
            if (m_wanted && of->analysis == m_wanted->analysis) {
                m_shown = of;
                accept(result);
            }
            if (isSettled())
                emit settled();
        };
    });
}

/// The tree of a moment's set as the options want it.
std::shared_ptr<const CallTree> treeOf(
    const Moment& moment, const MomentOptions& options, CallDirection direction);

} // namespace highwater::gui

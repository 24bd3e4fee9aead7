#include "app/views/moment/moment_page.h"

#include <QItemSelectionModel>

#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/stacks/call_tree_builder.h"

namespace highwater::gui {

void MomentPage::show(std::shared_ptr<const Moment> moment, const MomentOptions& options)
{
    if (moment == m_wanted && options == m_options)
        return;
    if (!moment) {
        m_task.drop();
        m_shown.reset();
    }
    m_wanted = std::move(moment);
    m_options = options;
    refresh();
}

void MomentPage::highlight(const std::vector<bool>& members, const QString& name)
{
    auto chosen = std::make_shared<std::vector<bool>>(m_shown->analysis->allocations.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        if (members[i])
            (*chosen)[m_shown->set.allocations[i]] = true;
    emit highlightRequested(chosen, name);
}

QString MomentPage::nameOf(const QItemSelectionModel& selection)
{
    const QModelIndexList rows = selection.selectedRows();
    return rows.size() == 1 ? rows.front().data().toString() : tr("%1 rows").arg(countText(rows.size()));
}

AllocationIndex MomentPage::largestOf(const std::vector<bool>& members) const
{
    AllocationIndex largest = Selection::kNone;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const AllocationIndex allocation = m_shown->set.allocations[i];
        if (members[i]
            && (largest == Selection::kNone
                || m_shown->analysis->allocations.bytes(allocation)
                    > m_shown->analysis->allocations.bytes(largest)))
            largest = allocation;
    }
    return largest;
}

void MomentPage::pinLargest(const std::vector<bool>& members)
{
    if (const AllocationIndex largest = largestOf(members); largest != Selection::kNone)
        emit allocationPinned(largest);
}

std::shared_ptr<const CallTree> treeOf(
    const Moment& moment, const MomentOptions& options, CallDirection direction, FrameLines lines)
{
    const DeviceAnalysis& analysis = *moment.analysis;
    return std::make_shared<const CallTree>(callTree(
        *analysis.trace, analysis.allocations, analysis.sites, moment.set, direction, options.detail, lines));
}

} // namespace highwater::gui

#include <algorithm>

#include <QTableView>

#include "app/models/cell_data.h"
#include "app/views/steps/link_delegate.h"
#include "app/views/steps/steps_view.h"
#include "core/table/step_tables.h"

// The table of steps.

namespace highwater::gui {

namespace {

constexpr auto kLeftBehindKey = "left_behind_bytes";

/// True from 1 MiB on. Fewer bytes are not worth showing in the plot, because almost every step leaves a
/// counter or a seed behind.
bool isWorthShowing(const QModelIndex& leftBehind)
{
    return leftBehind.data(kExactRole).toLongLong() >= kMiB;
}

} // namespace

/// Fills the table. Its cells share ownership of the device, which they read when they are painted.
void StepsView::showSteps()
{
    TableSource steps;
    if (m_analysis) {
        const bool hasTimes = m_analysis->trace->hasTimes(m_analysis->device);
        steps = withoutColumns(stepTable({m_analysis->steps, hasTimes ? &m_analysis->byTime : nullptr,
                                   &m_analysis->live, &m_analysis->sites}),
            {"index", "retained_bytes", "events", "remarks"});
        for (SourceColumn& column : steps.columns)
            column.cell
                = [owner = m_analysis, cell = std::move(column.cell)](std::size_t i) { return cell(i); };
    }
    m_model->setSource(std::move(steps));
    const int leftBehind = m_model->column(kLeftBehindKey);
    if (leftBehind >= 0 && !m_table->itemDelegateForColumn(leftBehind))
        makeLinks(*m_table, leftBehind,
            tr("Click to show what the step allocated that is still in use one step later, in Moment and in "
               "the plot"),
            isWorthShowing);
}

/// Shows what the step left behind if its cell in the column Left behind was clicked.
void StepsView::openCell(const QModelIndex& index)
{
    if (index.column() == m_model->column(kLeftBehindKey) && isWorthShowing(index))
        emit stepRequested(m_model->rowAt(index.row()), StepCommand::ShowLeftBehind);
}

/// Widens the first column for the numbers in front of the names.
void StepsView::makeRoomForNotes()
{
    constexpr int margin = 6;
    const int wanted = static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(0) + margin;
    if (m_table->columnWidth(0) < wanted)
        m_table->setColumnWidth(0, wanted);
}

} // namespace highwater::gui

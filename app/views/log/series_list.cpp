#include "app/views/log/series_list.h"

#include <algorithm>

#include <QHeaderView>
#include <QSignalBlocker>
#include <QTextDocument>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/logs/memory_series.h"
#include "core/table/series_tables.h"

namespace highwater::gui {

namespace {
constexpr int kSeriesRole = Qt::UserRole;

/// Returns the figures of series without those that the chart shows at its ends.
Table shownColumns(const Trace& log, const std::vector<std::size_t>& series)
{
    return withoutColumns(seriesTable(log, series), {"first", "last"});
}

} // namespace

SeriesList::SeriesList(QWidget* parent)
    : QTreeWidget(parent)
{
    named(this, "logSeries", tr("Series of the log"));
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(16);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(this, &QTreeWidget::expanded, this, &SeriesList::fitNames);
    connect(this, &QTreeWidget::itemChanged, this, &SeriesList::takeChange);
}

void SeriesList::setTrace(std::shared_ptr<const Trace> trace)
{
    const QSignalBlocker blocked(this);
    clear();
    m_rows.clear();
    m_trace = std::move(trace);
    const DisplayedSeries shown = m_trace ? displayedSeries(*m_trace) : DisplayedSeries();
    m_hasMemory = !shown.own.empty();
    m_order = shown.own;
    m_order.insert(m_order.end(), shown.more.begin(), shown.more.end());
    if (!m_trace)
        return;
    const Table titles = shownColumns(*m_trace, {});
    setColumnCount(static_cast<int>(titles.columns.size()));
    for (int column = 0; column < columnCount(); ++column)
        headerItem()->setText(column, toQString(titles.columns[static_cast<std::size_t>(column)].title));
    addRows(*invisibleRootItem(), shown.own, drawnSeries(*m_trace, shown));
    if (!shown.more.empty()) {
        auto* more = new QTreeWidgetItem(this);
        more->setText(0, tr("More (%1)").arg(countText(static_cast<qint64>(shown.more.size()))));
        more->setToolTip(0, tr("Other GPUs, lifetime totals, host memory and other values"));
        more->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        addRows(*more, shown.more, {});
        more->setExpanded(!m_hasMemory);
    }
    fitNames();
}

/// Gives names and figures the room that they need, and the notes what is left. Names are cut only if they
/// need more than the whole width. The tool tip of a cut text has all of it.
void SeriesList::fitNames()
{
    const auto wanted = [this](int column) {
        return std::max(sizeHintForColumn(column), header()->sectionSizeHint(column));
    };
    const int last = columnCount() - 1;
    int taken = 0;
    for (int column = 0; column < last; ++column) {
        setColumnWidth(column, std::min(wanted(column), std::max(viewport()->width(), 1)));
        taken += columnWidth(column);
    }
    setColumnWidth(last, std::max(header()->minimumSectionSize(), viewport()->width() - taken));
}

void SeriesList::resizeEvent(QResizeEvent* event)
{
    QTreeWidget::resizeEvent(event);
    fitNames();
}

void SeriesList::addRows(
    QTreeWidgetItem& parent, const std::vector<std::size_t>& series, const std::vector<std::size_t>& drawn)
{
    const Table table = shownColumns(*m_trace, series);
    for (std::size_t i = 0; i < series.size(); ++i) {
        auto* row = new QTreeWidgetItem(&parent);
        row->setData(0, kSeriesRole, static_cast<qulonglong>(series[i]));
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const Cell& cell = table.rows[i][column];
            const int at = static_cast<int>(column);
            row->setText(at, cell.isEmpty() ? QString() : toQString(cellText(cell)));
            const QString tip = toQString(tipText(cell));
            row->setToolTip(at, Qt::convertFromPlainText(tip.isEmpty() ? row->text(at) : tip));
            if (table.columns[column].isNumber)
                row->setTextAlignment(at, Qt::AlignRight | Qt::AlignVCenter);
        }
        const bool isDrawn = std::ranges::find(drawn, series[i]) != drawn.end();
        row->setCheckState(0, isDrawn ? Qt::Checked : Qt::Unchecked);
        m_rows.push_back(row);
    }
}

std::vector<std::size_t> SeriesList::checked() const
{
    std::vector<std::size_t> series;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i]->checkState(0) == Qt::Checked)
            series.push_back(m_order[i]);
    return series;
}

void SeriesList::takeChange(const QTreeWidgetItem* item, int column)
{
    if (column != 0 || !item->data(0, kSeriesRole).isValid())
        return;
    if (item->checkState(0) == Qt::Checked)
        uncheckOtherUnits(m_trace->counters[item->data(0, kSeriesRole).toULongLong()].unit);
    emit checkedChanged();
}

void SeriesList::uncheckOtherUnits(const std::string& unit)
{
    const QSignalBlocker blocked(this);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_trace->counters[m_order[i]].unit != unit)
            m_rows[i]->setCheckState(0, Qt::Unchecked);
}

void SeriesList::setColors(const std::function<QColor(std::size_t series)>& colorOf)
{
    const QSignalBlocker blocked(this);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->setData(0, Qt::DecorationRole, colorOf(m_order[i]));
}

} // namespace highwater::gui

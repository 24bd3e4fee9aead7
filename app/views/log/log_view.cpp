#include "app/views/log/log_view.h"

#include <algorithm>

#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTableView>
#include <QTreeWidget>

#include "app/models/log_model.h"
#include "app/models/table_model.h"
#include "app/views/log/series_chart.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"
#include "core/table/log_tables.h"

namespace highwater::gui {

namespace {

constexpr int kIndexRole = Qt::UserRole;
/// Maximum number of series that are checked when a log is opened.
constexpr int kMostAtFirst = 6;
constexpr int kHeightForTable = 330;

QString failureText(const Trace& trace, const SharedFailure& shared)
{
    const LogFailure& failure = shared.first;
    const LogEvent& event = trace.logEvents[failure.event];
    QStringList lines;
    QString head = LogView::tr("Out of memory, %1").arg(toQString(placeText(event)));
    if (failure.copies > 1)
        head += LogView::tr(", written %1 times").arg(failure.copies);
    lines << head + (event.fatal == false ? LogView::tr("; the run continued") : QString());
    if (event.figures) {
        const OomReading reading = readOom(event);
        lines << toQString(figuresText(*event.figures)) << toQString(reading.verdict);
        for (const std::string& contradiction : reading.contradictions)
            lines << LogView::tr("The figures contradict each other: %1").arg(toQString(contradiction));
    }
    if (const std::optional<std::size_t> user = userFrameOf(trace, event)) {
        const LogFrame& frame = event.frames[*user];
        lines << LogView::tr("at %1 %2:%3")
                     .arg(toQString(trace.text(frame.function)), toQString(trace.text(frame.file)))
                     .arg(frame.line);
    }
    if (const std::optional<NamedTensor> tensor = tensorOf(trace, event))
        lines << LogView::tr("tensor %1%2")
                     .arg(toQString(toText(*tensor)),
                         explainsRequest(*tensor, event) ? LogView::tr(": the request") : QString());
    return lines.join(QLatin1Char('\n'));
}

} // namespace

LogView::LogView(QWidget* parent)
    : AnalysisPanel(parent)
    , m_summary(new QLabel(this))
    , m_series(new QTreeWidget(this))
    , m_chart(new SeriesChart(this))
    , m_failures(new QListWidget(this))
    , m_rankModel(new TableModel(this))
    , m_ranks(makePlainTable(*m_rankModel, QStringLiteral("failedRanks"), tr("Ranks that failed"), this))
    , m_lines(new QListView(this))
    , m_textPane(new QWidget(this))
    , m_state(new QLabel(this))
    , m_model(new LogModel(this))
{
    setObjectName(QStringLiteral("logView"));
    layOut();
    connectParts();
}

LogView::~LogView()
{
    m_stop.requestStop();
    m_task.drop();
}

void LogView::layOut()
{
    m_summary->setObjectName(QStringLiteral("logSummary"));
    m_summary->setMargin(6);
    m_summary->setWordWrap(true);
    named(m_series, "logSeries", tr("Series of the log"));
    m_series->setRootIsDecorated(false);
    m_series->setUniformRowHeights(true);
    m_series->setHeaderLabels(
        {tr("Series"), tr("Source"), tr("Points"), tr("Min"), tr("Max"), tr("Last"), tr("Unit")});
    named(m_failures, "logFailures", tr("Failures"));
    m_failures->setWordWrap(true);
    m_failures->setAlternatingRowColors(true);
    m_failures->setSpacing(2);
    named(m_lines, "logLines", tr("Lines of the log"));
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setUniformItemSizes(true);
    m_lines->setModel(m_model);
    m_lines->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_lines->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_state->setObjectName(QStringLiteral("logState"));
    m_state->setMargin(4);

    auto* charts = fillSplitter(named(new QSplitter(Qt::Vertical), "logChartSplitter"),
        {{m_chart, 3}, {m_series, 2}, {m_failures, 2}, {m_ranks, 1}});
    QWidget* text = m_textPane;
    layColumn(text, {{m_lines, 1}, m_state});
    auto* splitter = fillSplitter(
        named(new QSplitter(Qt::Horizontal), "logSplitter"), {{charts, 1}, {text, 1}}, {1000, 1000});
    layColumn(this, {m_summary, {splitter, 1}});
}

void LogView::connectParts()
{
    connect(m_series, &QTreeWidget::itemChanged, this, [this] {
        if (!m_isFilling)
            showChecked();
    });
    connect(m_failures, &QListWidget::currentRowChanged, this, [this](int row) {
        const QListWidgetItem* item = m_failures->item(row);
        if (!item || !m_log.trace)
            return;
        const LogEvent& event = m_log.trace->logEvents[item->data(kIndexRole).toULongLong()];
        goToLine(event.line);
        leadToTimeline(event.time);
    });
    connect(m_ranks, &QTableView::clicked, this, [this](const QModelIndex& at) {
        const Table ranks = failedRankTable(*m_log.trace);
        if (const Amount* const line = ranks.rows[m_rankModel->rowAt(at.row())].back().amount())
            goToLine(static_cast<std::uint64_t>(line->value));
    });
    connect(m_chart, &SeriesChart::pointClicked, this, [this](quint64 series, quint64 point) {
        const CounterSeries& clickedSeries = m_log.trace->counters[series];
        goToLine(clickedSeries.lineAt(point));
        leadToTimeline(clickedSeries.timeAt(point));
    });
    connect(m_lines->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { followLine(); });
    connect(m_lines, &QListView::activated, this,
        [this] { leadToTimeline(m_times.timeOf(currentLine()).value_or(0)); });
    connectNotes();
}

void LogView::showLog(const QString& path, const ClockedTrace& log)
{
    if (path == m_path && log.trace == m_log.trace) {
        m_log.offset = log.offset;
        return;
    }
    m_stop.requestStop();
    m_task.drop();
    m_path = path;
    m_log = log;
    m_text.reset();
    m_model->setLog(nullptr, nullptr);
    m_chart->setTrace(m_log.trace);
    m_times = m_log.trace ? LogTimes(*m_log.trace) : LogTimes();
    fillSeries();
    fillFailures();
    m_summary->setText(summary());
    const bool readable = m_log.trace && hasReadableText(*m_log.trace);
    m_textPane->setVisible(readable);
    if (readable)
        readText();
    else
        emit settled();
}

void LogView::showDevice(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_analysis = std::move(analysis);
}

void LogView::setColors(const ThemeColors& colors)
{
    m_chart->setColors(colors);
    m_model->setColors(colors);
    for (int row = 0; row < m_series->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_series->topLevelItem(row);
        const QSignalBlocker blocked(m_series);
        item->setData(0, Qt::DecorationRole, m_chart->colorOf(item->data(0, kIndexRole).toULongLong()));
    }
}

void LogView::readText()
{
    m_stop = StopToken();
    m_state->setText(tr("Reading the text…"));
    const std::string path = m_path.toLocal8Bit().toStdString();
    m_task.run([this, path, stop = m_stop]() -> LatestTask::Delivery {
        const Result<std::shared_ptr<const LogText>> text = LogText::open(path, nullptr, stop);
        return [this, text] { acceptText(text); };
    });
}

void LogView::acceptText(const Result<std::shared_ptr<const LogText>>& text)
{
    if (!text) {
        m_state->setText(tr("The text cannot be read: %1").arg(toQString(toText(text.error()))));
        emit settled();
        return;
    }
    m_text = *text;
    m_model->setLog(m_text, m_log.trace);
    QString state = countedText(static_cast<qint64>(m_text->lineCount()), "line", "lines");
    if (m_text->isCut())
        state += tr("; the rest is too large to decompress here");
    m_state->setText(state);
    const std::vector<LogFailure> failures = logFailures(*m_log.trace);
    if (!failures.empty())
        m_failures->setCurrentRow(0);
    emit settled();
}

void LogView::fillSeries()
{
    m_isFilling = true;
    m_series->clear();
    int shown = 0;
    for (const std::size_t i : m_log.trace ? seriesOrder(*m_log.trace) : std::vector<std::size_t>()) {
        const CounterSeries& series = m_log.trace->counters[i];
        if (series.value.empty())
            continue;
        const auto [low, high] = std::minmax_element(series.value.begin(), series.value.end());
        auto* item = new QTreeWidgetItem(m_series);
        item->setData(0, kIndexRole, static_cast<qulonglong>(i));
        const QStringList cells = {toQString(series.name), toQString(writerOfSeries(series)),
            countText(static_cast<qint64>(series.points())), toQString(valueText(series, *low)),
            toQString(valueText(series, *high)), toQString(valueText(series, series.value.back())),
            toQString(series.unitNote.empty() ? series.unit : series.unitNote)};
        for (int column = 0; column < cells.size(); ++column) {
            item->setText(column, cells[column]);
            if (column >= 2 && column <= 5)
                item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        const bool isChecked = measuresDevice(series) && shown < kMostAtFirst;
        shown += isChecked;
        item->setCheckState(0, isChecked ? Qt::Checked : Qt::Unchecked);
        item->setData(0, Qt::DecorationRole, m_chart->colorOf(i));
        item->setToolTip(0, toQString(series.metric));
    }
    for (int column = 0; column < m_series->columnCount(); ++column)
        m_series->resizeColumnToContents(column);
    m_isFilling = false;
    if (shown == 0)
        checkFirst();
    hideTableIfLow();
    m_chart->setVisible(m_series->topLevelItemCount() > 0);
    showChecked();
}

/// Checks the first series, so that the chart is not empty. `seriesOrder` puts memory first.
void LogView::checkFirst()
{
    if (QTreeWidgetItem* first = m_series->topLevelItem(0))
        first->setCheckState(0, Qt::Checked);
}

/// Hides the table of series if the view is low, so that the chart keeps its size.
void LogView::hideTableIfLow()
{
    m_series->setVisible(m_series->topLevelItemCount() > 0 && height() >= kHeightForTable);
}

void LogView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    hideTableIfLow();
}

/// Draws the first checked series, and the other checked ones that have the same unit.
void LogView::showChecked()
{
    if (!m_log.trace)
        return;
    std::vector<std::size_t> shown;
    for (int row = 0; row < m_series->topLevelItemCount(); ++row) {
        const QTreeWidgetItem* item = m_series->topLevelItem(row);
        const auto series = static_cast<std::size_t>(item->data(0, kIndexRole).toULongLong());
        const bool fits = shown.empty()
            || m_log.trace->counters[series].unit == m_log.trace->counters[shown.front()].unit;
        if (item->checkState(0) == Qt::Checked && fits)
            shown.push_back(series);
    }
    m_chart->setShown(shown);
    m_chart->setCapacity(loggedCapacity(*m_log.trace));
}

void LogView::fillFailures()
{
    const QSignalBlocker blocked(m_failures);
    m_failures->clear();
    if (m_log.trace) {
        const auto add = [this](const QString& text, std::size_t event) {
            auto* item = new QListWidgetItem(text, m_failures);
            item->setData(kIndexRole, static_cast<qulonglong>(event));
        };
        for (const SharedFailure& failure : sharedFailures(*m_log.trace))
            add(failureText(*m_log.trace, failure), failure.first.event);
        for (const LogFailure& failure : failuresOfEveryKind(*m_log.trace))
            if (const LogEvent& event = m_log.trace->logEvents[failure.event];
                event.kind != LogEvent::Kind::Oom)
                add(toQString(placeText(event)) + QLatin1Char('\n') + toQString(sanitizedText(event.text)),
                    failure.event);
    }
    m_failures->setVisible(m_failures->count() > 0);
    m_rankModel->setTable(m_log.trace ? failedRankTable(*m_log.trace) : Table());
    m_ranks->setVisible(m_rankModel->rowCount() > 0);
    fitColumns(*m_ranks);
}

QString LogView::summary() const
{
    if (!m_log.trace)
        return tr("No log is open for this file");
    const auto failures = static_cast<qint64>(failuresOfEveryKind(*m_log.trace).size());
    QStringList parts = {toQString(m_log.name)};
    parts << (failures == 0 ? tr("no failures") : countedText(failures, "failure", "failures"));
    parts << (m_series->topLevelItemCount() == 0
            ? tr("no memory figures recognized")
            : countedText(m_series->topLevelItemCount(), "series", "series"));
    return parts.join(QStringLiteral(" · "));
}

void LogView::goToLine(std::uint64_t line)
{
    if (line == 0 || line > static_cast<std::uint64_t>(m_model->rowCount()))
        return;
    const QModelIndex index = m_model->index(static_cast<int>(line) - 1);
    m_lines->setCurrentIndex(index);
    m_lines->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

std::uint64_t LogView::currentLine() const
{
    const QModelIndex index = m_lines->currentIndex();
    return index.isValid() ? static_cast<std::uint64_t>(index.row()) + 1 : 0;
}

void LogView::followLine()
{
    m_chart->markLine(currentLine());
}

void LogView::followTimeline(Nanoseconds time)
{
    if (m_isLeading || !isVisible())
        return;
    if (const std::optional<std::uint64_t> line = m_times.lineAt(time - m_log.offset))
        goToLine(*line);
}

void LogView::leadToTimeline(Nanoseconds time)
{
    if (!m_analysis || time <= 0 || !m_analysis->trace->hasTimes(m_analysis->device))
        return;
    const EventScale& times = m_analysis->scale(AxisKind::Time);
    const std::int64_t event = times.eventAt(static_cast<double>(time + m_log.offset - times.origin()));
    if (event < 0 || event >= times.eventCount())
        return;
    const QScopedValueRollback leads(m_isLeading, true);
    emit eventRequested(event);
}

} // namespace highwater::gui

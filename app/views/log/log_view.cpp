#include "app/views/log/log_view.h"

#include <algorithm>

#include <QFileInfo>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextDocument>

#include "app/models/log_model.h"
#include "app/models/table_model.h"
#include "app/views/log/series_chart.h"
#include "app/views/log/series_list.h"
#include "app/views/log/whole_line.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/base/text_format.h"
#include "core/table/log_tables.h"

namespace highwater::gui {

namespace {

/// Height in pixels below which chart and tabs are side by side, and a cut line is not shown whole.
constexpr int kLowHeight = 330;
constexpr int kFailureDivisor = 3; ///< of the height, for the most that the failures take
constexpr int kFewestFailureRows = 3; ///< of the failures, in any height
constexpr int kEssentialOfFailure = 7; ///< columns, up to the place and its line
/// Most single values that are listed in place of a chart.
constexpr std::size_t kMaxValues = 6;

/// True if every one of the series measures memory of a GPU.
bool areMemory(const Trace& log, const std::vector<std::size_t>& series)
{
    return std::ranges::all_of(series, [&](std::size_t i) { return measuresDevice(log.counters[i]); });
}

} // namespace

LogView::LogView(QWidget* parent)
    : AnalysisPanel(parent)
    , m_besideText(new QSplitter(Qt::Vertical))
    , m_chartPane(new QWidget)
    , m_title(new QLabel(m_chartPane))
    , m_chart(new SeriesChart(m_chartPane))
    , m_undrawn(new QLabel(m_chartPane))
    , m_tabs(new QTabWidget)
    , m_series(new SeriesList)
    , m_failureModel(new TableModel(this))
    , m_failures(makeSortedTable(*m_failureModel, QStringLiteral("logFailures"), tr("Failures"), nullptr))
    , m_lines(new QListView(this))
    , m_wholeLine(new WholeLine(this))
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
    named(m_title, "logChartTitle");
    m_title->setProperty("heading", true);
    m_title->setContentsMargins(16, 0, 16, 0);
    named(m_undrawn, "logUndrawn");
    makeSelectable(*m_undrawn, Qt::PlainText, {16, 8, 16, 8});
    layColumn(m_chartPane, {m_title, {m_chart, 1}, m_undrawn});
    named(m_tabs, "logTabs", tr("Series and findings of the log"));
    m_tabs->setDocumentMode(true);
    leaveOutColumns(*m_failures, kEssentialOfFailure);
    m_failures->setToolTip(tr("Every failure in the log; a double click goes to its line"));
    m_tabs->addTab(m_series, tr("Series"));
    m_tabs->setTabToolTip(0, tr("What the log measured; a checked series is drawn"));
    named(m_lines, "logLines", tr("Lines of the log"));
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setUniformItemSizes(true);
    m_lines->setModel(m_model);
    m_lines->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_lines->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // a long line ends with "…"
    m_lines->viewport()->installEventFilter(this);
    m_wholeLine->setFont(m_lines->font());
    m_wholeLine->hide();
    named(m_state, "logState");
    m_state->setProperty("quiet", true);
    m_state->setContentsMargins(16, 4, 16, 4);

    fillSplitter(named(m_besideText, "logChartSplitter"), {{m_chartPane, 3}, {m_tabs, 2}});
    layColumn(m_textPane, {m_failures, {m_lines, 1}, m_wholeLine, m_state});
    auto* splitter = fillSplitter(named(new QSplitter(Qt::Horizontal), "logSplitter"),
        {{m_besideText, 1}, {m_textPane, 1}}, {1000, 1000});
    for (QSplitter* part : {m_besideText, splitter})
        part->setHandleWidth(1);
    m_failures->viewport()->installEventFilter(this);
    layColumn(this, {{splitter, 1}});
}

void LogView::connectParts()
{
    connect(m_series, &SeriesList::checkedChanged, this, &LogView::showChecked);
    connect(m_failures, &QTableView::activated, this, &LogView::goToFailure);
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
    showWholeLine();
    m_times = m_log.trace ? LogTimes(*m_log.trace) : LogTimes();
    m_series->setTrace(m_log.trace);
    m_chart->setTrace(m_log.trace, m_series->order());
    m_series->setColors([this](std::size_t series) { return m_chart->colorOf(series); });
    const bool readable = m_log.trace && hasReadableText(*m_log.trace);
    m_lines->setVisible(readable);
    m_state->setVisible(readable);
    fillFailures();
    showChecked();
    showTab(0, !m_series->order().empty());
    if (!m_series->order().empty())
        m_tabs->setCurrentIndex(0);
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
    m_failureModel->setColors(colors);
    m_series->setColors([this](std::size_t series) { return m_chart->colorOf(series); });
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
    QString state = tr("%1, %2").arg(
        fileName(), countedText(static_cast<qint64>(m_text->lineCount()), "line", "lines"));
    if (m_text->isCut())
        state += tr("; the rest is too large to decompress here");
    m_state->setText(state);
    if (const std::vector<LogFailure> failures = failuresOfEveryKind(*m_log.trace); !failures.empty())
        goToLine(m_log.trace->logEvents[failures.front().event].line);
    emit settled();
}

void LogView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    m_besideText->setOrientation(height() < kLowHeight ? Qt::Horizontal : Qt::Vertical);
    fitChartPane();
}

/// Fits failures and the whole line again when their pane gets another size: by the window, a splitter, or a
/// pane that appears.
bool LogView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_failures->viewport() && event->type() == QEvent::Resize)
        fitFailures();
    if (watched == m_lines->viewport() && event->type() == QEvent::Resize)
        showWholeLine();
    return AnalysisPanel::eventFilter(watched, event);
}

/// Makes the chart's pane as high as the text in its place, if that is above the tabs.
void LogView::fitChartPane()
{
    const bool hasTextAbove = !m_chart->hasLine() && m_besideText->orientation() == Qt::Vertical;
    QSizePolicy policy = m_chartPane->sizePolicy();
    policy.setVerticalPolicy(hasTextAbove ? QSizePolicy::Maximum : QSizePolicy::Preferred);
    m_chartPane->setSizePolicy(policy);
}

void LogView::showTab(int tab, bool isShown)
{
    m_tabs->setTabVisible(tab, isShown);
    int tabs = 0;
    for (int i = 0; i < m_tabs->count(); ++i)
        tabs += m_tabs->isTabVisible(i);
    m_tabs->tabBar()->setVisible(tabs > 1);
    m_tabs->setFocusPolicy(tabs > 1 ? Qt::TabFocus : Qt::NoFocus); // Tab would stop at a hidden bar
    m_besideText->setVisible(tabs > 0);
}

/// Draws the checked series, or says their values if each has only one.
void LogView::showChecked()
{
    if (!m_log.trace)
        return;
    const std::vector<std::size_t> shown = m_series->checked();
    m_chart->setShown(shown);
    const bool isMemory = areMemory(*m_log.trace, shown);
    m_chart->setCapacity(isMemory ? loggedCapacity(*m_log.trace) : std::nullopt);
    const bool hasLine = m_chart->hasLine();
    QStringList names;
    for (const std::size_t i : shown)
        names << toQString(seriesTitle(m_log.trace->counters[i]));
    m_title->setText(isMemory ? tr("GPU memory") : names.join(QStringLiteral(", ")));
    m_title->setToolTip(Qt::convertFromPlainText(names.join(QLatin1Char('\n'))));
    m_title->setVisible(hasLine);
    m_chart->setVisible(hasLine);
    m_undrawn->setText(undrawnText());
    m_undrawn->setVisible(!hasLine);
    fitChartPane();
}

QString LogView::undrawnText() const
{
    if (!m_log.trace || m_chart->hasLine())
        return {};
    const std::vector<std::size_t> shown = m_series->checked();
    QStringList values;
    for (std::size_t i = 0; i < std::min(shown.size(), kMaxValues); ++i) {
        const CounterSeries& series = m_log.trace->counters[shown[i]];
        values << tr("%1: %2").arg(
            toQString(measureText(series)), toQString(valueText(series, seriesFigures(series).value().last)));
    }
    if (const std::optional<Bytes> capacity = loggedCapacity(*m_log.trace);
        capacity && !values.isEmpty() && areMemory(*m_log.trace, shown))
        values << tr("The GPU has %1").arg(bytesText(*capacity));
    if (!values.isEmpty())
        return values.join(QLatin1Char('\n'));
    return m_series->hasMemory()
        ? tr("Check a series to draw it")
        : tr("No series of GPU memory. To draw one, log torch.cuda.memory_allocated() "
             "and torch.cuda.memory_reserved() at each step");
}

void LogView::fillFailures()
{
    // The gauge above has the capacity, which is also the sum of the columns for used and free.
    const Table table = m_log.trace
        ? withoutEmptyColumns(withoutColumns(failureTable(*m_log.trace), {"capacity_bytes"}))
        : Table();
    m_failureModel->setTable(table);
    fitColumns(*m_failures);
    m_failures->setVisible(!table.rows.empty());
    m_textPane->setVisible(!table.rows.empty() || !m_lines->isHidden());
    fitFailures();
}

/// Shows the failures in as many rows as they need, up to a share of the height; without lines of text, in
/// all the height.
void LogView::fitFailures()
{
    const int row = m_failures->verticalHeader()->defaultSectionSize();
    const int most = std::max(kFewestFailureRows, height() / kFailureDivisor / row);
    m_failures->setMaximumHeight(m_lines->isHidden() ? QWIDGETSIZE_MAX
                                                     : m_failures->horizontalHeader()->sizeHint().height()
                + std::min(m_failureModel->rowCount(), most) * row);
    m_failures->setMinimumHeight(m_lines->isHidden() ? 0 : m_failures->maximumHeight());
}

void LogView::goToFailure(const QModelIndex& row)
{
    const std::vector<LogFailure> failures = failuresOfEveryKind(*m_log.trace);
    const LogEvent& event = m_log.trace->logEvents[failures[m_failureModel->rowAt(row.row())].event];
    goToLine(event.line);
    leadToTimeline(event.time);
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
    m_chart->markLogLine(currentLine());
    showWholeLine();
    // Later, since a click that scrolls at once would select the lines between.
    QMetaObject::invokeMethod(
        m_lines, [this] { m_lines->scrollTo(m_lines->currentIndex()); }, Qt::QueuedConnection);
}

/// Shows the current line whole below the text if it is cut there, where there is height for both. The line
/// has half the height, and what a short text leaves.
void LogView::showWholeLine()
{
    const QModelIndex line = m_lines->currentIndex();
    const bool isCut = line.isValid() && height() >= kLowHeight
        && m_lines->sizeHintForIndex(line).width() > m_lines->viewport()->width();
    if (isCut) {
        const int failures = m_failures->isHidden() ? 0 : m_failures->maximumHeight();
        const int text = m_model->rowCount() * m_lines->sizeHintForRow(0);
        const int left = m_textPane->height() - failures - text - m_state->sizeHint().height();
        m_wholeLine->showLine(line.data().toString(), std::max(m_textPane->height() / 2, left));
    }
    m_wholeLine->setVisible(isCut);
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

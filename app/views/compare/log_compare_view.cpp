#include "app/views/compare/log_compare_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QTableView>

#include "app/views/compare/compare_header.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/scrolling.h"
#include "app/views/parts/tool_bar.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/figure/series_pair_figure.h"
#include "core/table/diff_tables.h"
#include "core/table/series_tables.h"

namespace highwater::gui {

namespace {

/// Number of messages shown of each log; the rest can be read in the logs.
constexpr std::size_t kMaxFailures = 20;

QLabel* makeHeading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    label->setContentsMargins(10, 0, 10, 4);
    return label;
}

} // namespace

LogCompareView::LogCompareView(QWidget* parent)
    : Page(parent)
    , m_header(new CompareHeader(this))
    , m_chart(new FigureView(this))
    , m_chooser(new QComboBox(this))
    , m_seriesModel(new TableModel(this))
    , m_seriesPane(new QWidget(this))
    , m_series(makeSortedTable(*m_seriesModel, QStringLiteral("logSeries"), tr("Series in both logs"), this))
    , m_settingsModel(new TableModel(this))
    , m_settingsTitle(makeHeading({}, this))
    , m_settings(
          makeSortedTable(*m_settingsModel, QStringLiteral("logSettings"), tr("Settings that differ"), this))
    , m_failures(new QLabel(this))
{
    setObjectName(QStringLiteral("logCompareView"));
    layOut();
    connect(m_swap, &QAction::triggered, this, &LogCompareView::swap);
    connect(m_close, &QAction::triggered, this, &LogCompareView::closeRequested);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &LogCompareView::showChart);
    connect(m_series->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &LogCompareView::chooseFromTable);
}

QWidget* LogCompareView::makeToolBar()
{
    auto* bar = new ToolBar(tr("Compare"), this);
    bar->setObjectName(QStringLiteral("logCompareToolBar"));
    m_swap = bar->addAction(tr("S&wap"));
    m_swap->setToolTip(tr("Swap before and after (X)"));
    m_swap->setShortcut(Qt::Key_X);
    m_swap->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_swap);
    bar->addSeparator();
    named(m_chooser, "logSeriesChooser", tr("Series to draw"), tr("Series to draw"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_chooser->setMinimumHeight(fontMetrics().height() + 12);
    m_chooserAction = bar->addWidget(m_chooser);
    auto* room = new QWidget(bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(room);
    m_close = bar->addAction(tr("Close comparison"));
    m_close->setToolTip(tr("Return to the single log"));
    return bar;
}

/// Makes the right part: the settings that differ, and below them the out-of-memory messages.
QWidget* LogCompareView::makeRight()
{
    m_failures->setObjectName(QStringLiteral("logCompareFailures"));
    makeSelectable(*m_failures, Qt::PlainText, {10, 2, 10, 8});
    m_failures->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* scroll = makeScrollArea(m_failures, this, tr("Out of memory"));
    auto* right = new QWidget(this);
    layColumn(
        right, {m_settingsTitle, {m_settings, 1}, makeHeading(tr("Out of memory"), right), {scroll, 1}});
    return right;
}

void LogCompareView::layOut()
{
    named(m_chart, "logCompareChart", tr("Series of both runs, overlaid"));
    auto* across
        = fillSplitter(new QSplitter(Qt::Horizontal, this), {{m_chart, 2}, {makeRight(), 1}}, {960, 560});
    across->setChildrenCollapsible(false);
    layColumn(m_seriesPane, {makeHeading(tr("Series in both logs"), m_seriesPane), {m_series, 1}});
    auto* down
        = fillSplitter(new QSplitter(Qt::Vertical, this), {{across, 3}, {m_seriesPane, 1}}, {560, 220});
    down->setChildrenCollapsible(false);
    layColumn(this, {makeToolBar(), m_header, {down, 1}});
}

void LogCompareView::compare(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after)
{
    m_wanted = {{NoteRun::Before, before, nullptr}, {NoteRun::After, after, nullptr}};
    m_task.run([this, before = std::move(before), after = std::move(after)] {
        auto diff = std::make_shared<const LogDiff>(diffLogs({before->trace(), {}}, {after->trace(), {}}));
        return [this, before, after, diff] {
            m_before = before;
            m_after = after;
            acceptDiff(diff);
        };
    });
    emit changed();
}

PageOffers LogCompareView::offers() const
{
    return {.another = true, .swap = true, .close = true, .toolBar = false};
}

void LogCompareView::swap()
{
    if (m_diff)
        compare(m_after, m_before);
}

void LogCompareView::clear()
{
    m_task.drop();
    m_chart->setMaker(nullptr);
    m_diff.reset();
    m_before.reset();
    m_after.reset();
    m_wanted.clear();
}

void LogCompareView::acceptDiff(std::shared_ptr<const LogDiff> diff)
{
    m_diff = std::move(diff);
    const bool hasComparedSeries = m_diff->compared.has_value();
    m_header->show(m_diff.get(),
        hasComparedSeries
            ? toQString(measureText(m_before->trace().counters[m_diff->series[*m_diff->compared].before]))
            : QString());
    m_seriesPane->setVisible(!m_diff->series.empty());
    fillChooser();
    fillSeries();
    fillSettings();
    fillFailures();
    showChart();
    emit settled();
}

/// Offers only series in bytes, because the chart has one axis in bytes.
void LogCompareView::fillChooser()
{
    const QSignalBlocker blocker(m_chooser);
    m_chooser->clear();
    for (std::size_t i = 0; i < m_diff->series.size(); ++i)
        if (m_diff->series[i].isDrawable())
            m_chooser->addItem(toQString(seriesTitle(m_before->trace().counters[m_diff->series[i].before])),
                static_cast<int>(i));
    m_chooser->setEnabled(m_chooser->count() > 1);
    m_chooserAction->setVisible(m_chooser->count() > 0);
    m_chart->setVisible(m_chooser->count() > 0);
}

void LogCompareView::fillSeries()
{
    m_seriesModel->setTable(seriesPairTable(m_before->trace(), *m_diff));
    yieldNames(*m_series);
}

void LogCompareView::fillSettings()
{
    m_settingsTitle->setText(
        m_diff->settings.empty() ? tr("No recorded setting differs") : tr("Settings that differ"));
    m_settings->setVisible(!m_diff->settings.empty());
    m_settingsModel->setTable(settingChangeTable(m_diff->settings));
    shareColumns(*m_settings);
}

void LogCompareView::fillFailures()
{
    QStringList lines;
    const auto add = [&lines](const QString& run, const Trace& log, const std::vector<LogFailure>& failures) {
        for (std::size_t i = 0; i < std::min(failures.size(), kMaxFailures); ++i)
            lines << QStringLiteral("%1, %2").arg(run, toQString(failureText(log, failures[i])));
        if (failures.size() > kMaxFailures)
            lines << tr("%1: %2 more").arg(run).arg(failures.size() - kMaxFailures);
        if (failures.empty())
            lines << tr("%1: no out-of-memory message in this log").arg(run);
    };
    add(tr("Before"), m_before->trace(), m_diff->beforeFailures);
    add(tr("After"), m_after->trace(), m_diff->afterFailures);
    m_failures->setText(lines.join(QStringLiteral("\n\n")));
}

std::optional<std::size_t> LogCompareView::shownSeries() const
{
    if (m_chooser->currentIndex() < 0)
        return std::nullopt;
    return static_cast<std::size_t>(m_chooser->currentData().toInt());
}

void LogCompareView::showChart()
{
    const std::optional<std::size_t> shown = shownSeries();
    if (!m_diff || !shown)
        return m_chart->setMaker(nullptr);
    m_chart->setMaker(
        [before = m_before, after = m_after, diff = m_diff, shown](const FigureOptions& options) {
            return seriesPairFigure(
                {before->trace(), after->trace(), diff->series[*shown],
                    toQString(before->fileName()).toStdString(), toQString(after->fileName()).toStdString()},
                options);
        });
}

void LogCompareView::chooseFromTable()
{
    const QModelIndex current = m_series->currentIndex();
    if (!current.isValid())
        return;
    const int item = m_chooser->findData(static_cast<int>(m_seriesModel->rowAt(current.row())));
    if (item >= 0)
        m_chooser->setCurrentIndex(item);
}

QString LogCompareView::statusText() const
{
    if (!m_diff)
        return tr("Comparing…");
    return tr("%1 in both logs · before: %2 · after: %3")
        .arg(countedText(static_cast<std::int64_t>(m_diff->series.size()), "series", "series"),
            toQString(m_before->fileName()), toQString(m_after->fileName()));
}

void LogCompareView::setColors(const ThemeColors& colors)
{
    m_header->setColors(colors);
    m_chart->setColors(colors);
}

} // namespace highwater::gui

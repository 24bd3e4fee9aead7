#include <algorithm>

#include <QAction>
#include <QDockWidget>
#include <QListView>
#include <QStackedWidget>
#include <QStatusBar>

#include "app/views/compare/log_compare_view.h"
#include "app/views/findings/findings_view.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/recording_page.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/ranks/ranks_view.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/progress/run_loading_bar.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/usage/matching_range.h"

// The run that is open, where it has several files.

namespace highwater::gui {

void MainWindow::buildRun()
{
    m_ranks = new RanksView(m_session.run(), m_page);
    m_page->questions().add(m_ranks, QStringLiteral("ranks"), tr("Ranks"),
        tr("The peaks and totals of all ranks of the run, and which of them stands out"));
    m_log = new LogView(m_page);
    m_page->questions().add(m_log, QStringLiteral("log"), tr("Log"),
        tr("The log of the run: its text, its series and its out-of-memory messages"));
    connect(&m_page->companions(), &CompanionSources::sourcesChanged, this, &MainWindow::refreshLog);
    connect(&m_page->selection(), &Selection::cursorChanged, this, [this] {
        const std::optional<std::int64_t> event = m_page->selection().cursor();
        if (!event || !m_page->analysis() || !m_log->isVisible())
            return;
        const EventScale& times = m_page->analysis()->scale(AxisKind::Time);
        m_log->followTimeline(times.origin() + static_cast<Nanoseconds>(times.positionOf(*event)));
    });
    connect(&m_page->findings(), &FindingsView::logLineRequested, this, [this](const QString&, quint64 line) {
        openView(QStringLiteral("log"));
        m_log->goToLine(line);
    });
    statusBar()->addPermanentWidget(new RunLoadingBar(m_session.run(), this));
    const auto show = [this](int file) { m_session.show(static_cast<std::size_t>(file)); };
    connect(m_ranks, &RanksView::fileRequested, this, show);
    connect(m_toolBar, &MainToolBar::fileChosen, this, show);
    connect(m_actions->nextRank, &QAction::triggered, this, [this] { m_session.showNext(1); });
    connect(m_actions->previousRank, &QAction::triggered, this, [this] { m_session.showNext(-1); });
    refreshFiles();
}

void MainWindow::refreshFiles()
{
    m_toolBar->showFiles(m_session);
    m_ranks->setShown(m_session.shown());
    PanelTabs& questions = m_page->questions();
    questions.setTabVisible(questions.indexOf(m_ranks), m_session.hasRanks());
    m_page->companions().setSources(m_session.companions());
    m_page->run().setCompanions(m_session.companions());
    refreshLog();
    const bool shown = m_session.shown().has_value();
    for (QAction* action : {m_actions->nextRank, m_actions->previousRank})
        action->setVisible(m_session.isRun());
    m_actions->nextRank->setEnabled(shown && m_session.hasNext(1));
    m_actions->previousRank->setEnabled(shown && m_session.hasNext(-1));
}

/// The first log among the other files of the run.
void MainWindow::refreshLog()
{
    const std::vector<CompanionSource>& sources = m_page->companions().sources();
    const auto log = std::find_if(sources.begin(), sources.end(),
        [](const CompanionSource& source) { return isLog(*source.trace.trace); });
    PanelTabs& questions = m_page->questions();
    questions.setTabVisible(questions.indexOf(m_log), log != sources.end());
    if (log == sources.end())
        m_log->showLog({}, {});
    else
        m_log->showLog(log->path, log->trace);
    if (m_log->hasLog() && m_wantedView == QLatin1String("log"))
        openView(m_wantedView);
}

void MainWindow::openConfiguration(const QString& path)
{
    m_page->run().setConfiguration(path);
}

void MainWindow::showPageOf(const Document& document)
{
    const bool hasDevice = document.mainDevice.has_value();
    m_dock->setVisible(m_wantsDetails && hasDevice && !showsReport());
    if (!hasDevice)
        return showPageWithoutDevice(document);
    showPage(*m_page);
    if (!showsReport())
        m_page->timeline().setFocus();
}

/// Files without a device have their own page.
void MainWindow::showPageWithoutDevice(const Document& document)
{
    if (isLog(document.trace())) {
        m_logPage->showLog(
            qtPath(document.path), ClockedTrace{document.imported.trace, document.fileName(), 0});
        m_stack->setCurrentWidget(m_logPage);
        m_logPage->lines().setFocus();
    } else {
        m_recording->show(document);
        m_stack->setCurrentWidget(m_recording);
        m_recording->setFocus();
    }
    completeIfSettled();
}

bool MainWindow::isPageSettled() const
{
    if (showsReport() && !m_report->isSettled())
        return false;
    const QWidget* current = pageBelow();
    if (isComparing())
        return m_compare->isSettled();
    if (isComparingLogs())
        return m_logCompare->isSettled();
    if (showsSweep())
        return !m_sweep.isLoading();
    return current == m_recording || (current == m_logPage ? m_logPage->isSettled() : m_page->isSettled());
}

/// Another rank of the same run is shown where the one before was looked at.
void MainWindow::putOnPage(const std::shared_ptr<const Document>& document, bool sameRun)
{
    const std::shared_ptr<const DeviceAnalysis> before = sameRun ? m_page->analysis() : nullptr;
    const AxisKind axis = m_page->axis();
    const AxisWindow x = m_page->range().x();
    const AxisWindow y = m_page->range().y();
    m_page->show(document);
    if (!before || !m_page->analysis() || m_page->axis() != axis || (x.isWhole() && y.isWhole()))
        return;
    const auto [begin, end]
        = matchingRange(before->scale(axis), m_page->analysis()->scale(axis), x.begin, x.end);
    const AxisWindow& whole = m_page->range().y();
    m_page->range().show(
        begin, end, y.isWhole() ? whole.lowest : y.begin, y.isWhole() ? whole.highest : y.end);
}

} // namespace highwater::gui

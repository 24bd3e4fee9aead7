#include <QAction>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>

#include "app/views/compare/log_compare_view.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/document_limits.h"
#include "app/views/parts/message_bar.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/progress/loading_bar.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/analysis/logs/log_failures.h"

// Comparison of two runs.

namespace highwater::gui {

void MainWindow::buildCompare()
{
    m_compare = new ComparePage(m_stack);
    m_stack->addWidget(m_compare);
    m_compare->timelines().addActions({m_actions->panLeft, m_actions->panRight});
    statusBar()->addPermanentWidget(new LoadingBar(m_compareSession.loader(), this));
    m_logCompare = new LogCompareView(m_stack);
    m_stack->addWidget(m_logCompare);
    connect(&m_compareSession, &CompareSession::logsReady, this, &MainWindow::showLogComparison);
    connect(m_logCompare, &LogCompareView::settled, this, [this] {
        refreshStatus();
        completeIfSettled();
    });
    connect(m_logCompare, &LogCompareView::closeRequested, &m_compareSession, &CompareSession::close);
    connect(&m_compareSession, &CompareSession::ready, this, &MainWindow::showComparison);
    connect(&m_compareSession, &CompareSession::closed, this, &MainWindow::hideComparison);
    connect(&m_compareSession, &CompareSession::failed, this, &MainWindow::showFailure);
    connect(&m_compareSession.loader(), &DocumentLoader::started, this, [this] { m_error->dismiss(); });
    connect(m_compare, &ComparePage::settled, this, &MainWindow::completeIfSettled);
    connect(m_compare, &ComparePage::statusChanged, this, &MainWindow::refreshStatus);
    connect(m_compare, &ComparePage::closeRequested, &m_compareSession, &CompareSession::close);
    connect(&m_compare->state(), &ComparisonState::failed, this, [this](const QString& sentence) {
        const QString path = m_compareSession.otherPath();
        m_compareSession.close();
        showFailure(path, sentence);
    });
    connect(m_actions->compareBefore, &QAction::triggered, this,
        [this] { chooseOther(CompareSession::Role::Before); });
    connect(m_actions->compareAfter, &QAction::triggered, this,
        [this] { chooseOther(CompareSession::Role::After); });
    connect(m_actions->swapRuns, &QAction::triggered, this,
        [this] { isComparingLogs() ? m_logCompare->swap() : m_compare->state().swap(); });
    connect(m_actions->closeComparison, &QAction::triggered, this,
        [this] { showsSweep() ? closeSweep() : m_compareSession.close(); });
    connect(&m_session.run(), &RunLoader::finished, this, [this] {
        if (m_offersLogLater)
            offerShownRun();
    });
    // Another device is another run to compare.
    connect(m_page, &DocumentPage::bytesChanged, this, &MainWindow::offerShownRun);
    connect(&m_page->run(), &RunState::described, this, &MainWindow::offerShownRun);
}

bool MainWindow::isComparing() const
{
    return pageBelow() == m_compare;
}

bool MainWindow::showsLog() const
{
    return pageBelow() == m_logPage;
}

bool MainWindow::isComparingLogs() const
{
    return pageBelow() == m_logCompare;
}

void MainWindow::compareFiles(const QString& before, const QString& after)
{
    unlessUnsaved([this, before, after] {
        m_leavesWorkspace = true;
        m_compareSession.close();
        // What is on screen now is neither of the two.
        m_offersLogLater = false;
        m_compareSession.setShown(std::nullopt);
        m_compareSession.open(before, CompareSession::Role::Before);
        loadFiles({after});
    });
}

void MainWindow::chooseOther(CompareSession::Role role)
{
    const QString folder = QFileInfo(m_opened.value(0)).path();
    const QString title
        = role == CompareSession::Role::Before ? tr("The run before this one") : tr("The run after this one");
    const QString path = QFileDialog::getOpenFileName(this, title, folder);
    if (!path.isEmpty())
        compareWith(path, role);
}

void MainWindow::compareWith(const QString& path, CompareSession::Role role)
{
    if (!isComparing() && !isComparingLogs()) {
        m_compareSession.close();
        offerShownRun();
    }
    m_compareSession.open(path, role);
}

/// Passes the run on screen to the comparison; a log only if no file with allocations will replace it.
void MainWindow::offerShownRun()
{
    const std::shared_ptr<const DeviceAnalysis>& analysis = m_page->analysis();
    const std::shared_ptr<const Document>& document = m_page->document();
    const std::shared_ptr<const Document> log
        = document && !analysis && isLog(document->trace()) ? document : nullptr;
    m_offersLogLater = log && m_session.isProvisional();
    if (m_offersLogLater)
        return;
    const std::optional<RunDescription>& described = m_page->run().description();
    if (analysis && document)
        m_compareSession.setShown(RunChoice{
            document, analysis->device, described ? described->settings : std::vector<ConfigurationEntry>()});
    else
        m_compareSession.setShown(std::nullopt, log);
}

void MainWindow::showComparison(const RunChoice& before, const RunChoice& after)
{
    m_compare->compare(before, after);
    showPageOfTwo(*m_compare, *before.document, *after.document);
    m_compare->timelines().plot(LinkedTimelines::After).setFocus();
    refreshCommands();
    refreshStatus();
}

void MainWindow::showLogComparison(
    const std::shared_ptr<const Document>& before, const std::shared_ptr<const Document>& after)
{
    m_logCompare->compare(before, after);
    showPageOfTwo(*m_logCompare, *before, *after);
    refreshCommands();
    refreshStatus();
}

void MainWindow::showPageOfTwo(QWidget& page, const Document& before, const Document& after)
{
    showLimits({&before, &after});
    m_awaitsPicture = true;
    showPage(page);
    m_dock->hide();
    refreshToolBar();
    setSubject(QStringLiteral("%1 ↔ %2").arg(toQString(before.fileName()), toQString(after.fileName())));
}

/// What limits the recordings, each by its name.
void MainWindow::showLimits(const std::vector<const Document*>& documents)
{
    QStringList names;
    QStringList limits;
    for (const Document* document : documents)
        if (const QString limit = documentLimits(*document); !limit.isEmpty()) {
            names << toQString(document->fileName());
            limits << limit;
        }
    m_warning->dismiss();
    if (limits.size() == 1)
        m_warning->showMessage(names.first(), limits.first());
    else if (!limits.isEmpty())
        m_warning->showMessage(
            names.first(), QStringLiteral("%1 %2: %3").arg(limits.first(), names.last(), limits.last()));
}

void MainWindow::hideComparison()
{
    hideReport();
    m_compare->state().clear();
    m_logCompare->clear();
    if (std::exchange(m_returnsToSweep, false) && m_sweep.isOpen())
        return showSweep();
    if (m_page->document())
        showDocumentAgain();
    refreshToolBar();
    refreshCommands();
    refreshStatus();
}

void MainWindow::showDocumentAgain()
{
    showLimits({m_page->document().get()});
    showPageOf(*m_page->document());
    setSubject(toQString(m_page->document()->fileName()));
}

/// Its commands are of one run.
void MainWindow::refreshToolBar()
{
    m_toolBar->setVisible(!isComparing() && !isComparingLogs() && !showsSweep() && !showsReport());
}

/// A file on a run that is open: to compare with, or to open.
void MainWindow::askAboutDrop(const QStringList& paths, const QPoint& at)
{
    const QString dropped = QFileInfo(paths.first()).fileName();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("dropMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString shown = toQString(m_page->document()->fileName());
    const auto add = [&](const QString& text, auto&& run) {
        connect(menu->addAction(text), &QAction::triggered, this, run);
    };
    add(tr("&Compare: %1 is the run after %2").arg(dropped, shown),
        [this, paths] { compareWith(paths.first(), CompareSession::Role::After); });
    add(tr("Compare: %1 is the run &before %2").arg(dropped, shown),
        [this, paths] { compareWith(paths.first(), CompareSession::Role::Before); });
    menu->addSeparator();
    add(tr("&Open %1 alone").arg(dropped), [this, paths] { openFiles(paths); });
    menu->popup(at);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    const bool isRunShown = m_page->analysis() && (showsDocument() || isComparing());
    const bool isWorkspace = paths.size() == 1 && isWorkspaceFile(systemPath(paths.first()));
    const bool canCompare = paths.size() == 1 && !isWorkspace && !QFileInfo(paths.first()).isDir()
        && (isRunShown || isComparingLogs() || showsLog());
    if (canCompare)
        askAboutDrop(paths, mapToGlobal(event->position().toPoint()));
    else
        openFiles(paths);
}

} // namespace highwater::gui

#include "app/window/main/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

#include "app/views/compare/log_compare_view.h"
#include "app/views/compare/sweep_view.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/recording_page.h"
#include "app/views/pages/start_page.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/message_bar.h"
#include "app/views/parts/table_export.h"
#include "app/views/report/report_view.h"
#include "app/views/side_panel/details_panel.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/rules_command.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/progress/loading_bar.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {

QStringList localFiles(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

} // namespace

MainWindow::MainWindow(bool remember, QWidget* parent)
    : QMainWindow(parent)
    , m_remember(remember)
    , m_recent(remember)
    , m_session(m_loader)
{
    setAcceptDrops(true);
    buildCentre();
    m_actions = std::make_unique<Actions>(*this, *m_page);
    m_byteCommands = new ByteCommands(*m_page, *m_actions->view, m_remember, this);
    m_rulesCommand = new RulesCommand(*m_page, *m_actions->view, m_remember, this);
    buildDetails();
    buildToolBar();
    buildStatusBar();
    buildRun();
    buildCompare();
    buildSweep();
    buildNotes();
    buildWorkspace();
    connectActions();
    connectLoader();
    buildReport();
    offerTableExports(*this);
    resize(1280, 800);
    restore();
    refreshRecentMenu();
    refreshCommands();
    refreshHistory();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_error = new MessageBar(MessageBar::Kind::Error, centre);
    m_warning = new MessageBar(MessageBar::Kind::Warning, centre);
    m_done = new MessageBar(MessageBar::Kind::Question, centre);
    m_done->setObjectName(QStringLiteral("doneBar"));
    m_done->setAccessibleName(tr("Done"));
    m_question = new MessageBar(MessageBar::Kind::Question, centre);
    m_stack = new QStackedWidget(centre);
    m_start = new StartPage(m_recent, m_stack);
    m_page = new DocumentPage(m_stack);
    m_stack->addWidget(m_start);
    m_recording = new RecordingPage(m_stack);
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_recording);
    m_logPage = new LogView(m_stack);
    m_stack->addWidget(m_logPage);
    connect(m_logPage, &LogView::settled, this, &MainWindow::completeIfSettled);
    layout->addWidget(m_question);
    layout->addWidget(m_error);
    layout->addWidget(m_warning);
    layout->addWidget(m_done);
    layout->addWidget(m_stack, 1);
    setCentralWidget(centre);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::chooseFile);
    connect(m_start, &StartPage::fileRequested, this, &MainWindow::openFile);
    connect(m_page, &DocumentPage::statusChanged, this, &MainWindow::refreshStatus);
    connect(m_page, &DocumentPage::remarksRequested, this, &MainWindow::showRemarks);
    connect(&m_page->history(), &ViewHistory::changed, this, &MainWindow::refreshHistory);
    connect(m_page, &DocumentPage::settled, this, &MainWindow::completeIfSettled);
}

void MainWindow::buildDetails()
{
    m_dock = new QDockWidget(tr("Details"), this);
    m_dock->setObjectName(QStringLiteral("detailsDock"));
    m_dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_dock->setTitleBarWidget(new QWidget(m_dock));
    m_dock->setWidget(&m_page->side());
    m_dock->setMinimumWidth(260);
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->hide();
    m_actions->view->addSeparator();
    QAction* toggle = m_dock->toggleViewAction();
    toggle->setText(tr("&Details panel"));
    m_actions->view->addAction(toggle);
    connect(toggle, &QAction::triggered, this, [this](bool on) { m_wantsDetails = on; });
}

void MainWindow::buildToolBar()
{
    m_toolBar = new MainToolBar(*m_actions, this);
    addToolBar(m_toolBar);
    connect(m_toolBar, &MainToolBar::modeChosen, &m_page->bandView(), &BandView::setMode);
    connect(&m_page->bandView(), &BandView::changed, this,
        [this] { m_toolBar->showModes(m_page->bandView().modes(), m_page->bandView().wantedMode()); });
    connect(m_toolBar, &MainToolBar::deviceChosen, this, [this](int index) {
        m_page->setDevice(static_cast<DeviceIndex>(index));
        m_page->timeline().setFocus();
        refreshCommands();
    });
}

void MainWindow::buildStatusBar()
{
    m_status = new QLabel(this);
    m_status->setObjectName(QStringLiteral("status"));
    m_cursor = new QLabel(this);
    m_cursor->setObjectName(QStringLiteral("cursorStatus"));
    m_cursor->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    statusBar()->addWidget(m_status);
    statusBar()->addPermanentWidget(m_cursor);
    statusBar()->addPermanentWidget(new LoadingBar(m_loader, this));
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::connectLoader()
{
    connect(&m_loader, &DocumentLoader::started, this, [this] { m_error->dismiss(); });
    connect(&m_session, &RunSession::documentReady, this, &MainWindow::showDocument);
    connect(&m_session, &RunSession::failed, this, &MainWindow::showFailure);
    connect(&m_session, &RunSession::changed, this, &MainWindow::refreshFiles);
    connect(&m_session.run(), &RunLoader::finished, this, &MainWindow::completeIfSettled);
    connect(&WorkFailures::instance(), &WorkFailures::outOfMemory, this,
        [this](const QString& sentence) { m_error->showMessage(tr("What was asked for"), sentence); });
}

void MainWindow::restore()
{
    ThemeChoice theme = ThemeChoice::System;
    if (m_remember) {
        const QSettings settings;
        m_actions->keepLarge->setChecked(settings.value(QStringLiteral("keepLargeFiles"), true).toBool());
        restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
        restoreState(settings.value(QStringLiteral("windowState")).toByteArray());
        m_wantsDetails = settings.value(QStringLiteral("detailsPanel"), true).toBool();
        m_dock->hide(); // until there is something to show
        restoreNotesLayout(settings);
        m_page->restoreLayout(settings);
        m_compare->restoreLayout(settings);
        theme = themeFromName(settings.value(QStringLiteral("theme")).toString());
    }
    setTheme(theme);
    applyCache();
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_colors = applyTheme(*qApp, choice);
    m_actions->selectTheme(choice);
    m_page->setColors(m_colors);
    m_recording->setColors(m_colors);
    m_logPage->setColors(m_colors);
    m_compare->setColors(m_colors);
    m_logCompare->setColors(m_colors);
    m_sweepView->setColors(m_colors);
    m_report->setColors(m_colors);
    m_notes->setColors(m_colors);
    m_start->refresh();
}

bool MainWindow::showsDocument() const
{
    return pageBelow() == m_page;
}

QString MainWindow::errorText() const
{
    return m_error->text();
}

QString MainWindow::warningText() const
{
    return m_warning->text();
}

void MainWindow::chooseFile()
{
    const QString folder
        = m_recent.paths().isEmpty() ? QString() : QFileInfo(m_recent.paths().first()).path();
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open what a run left behind"), folder,
        tr("All files (*);;Snapshots, traces and logs (*.pickle *.pkl *.json *.html *.gz *.zst *.sqlite "
           "*.log *.txt *.out *.err *.jsonl);;Workspaces (*.highwater)"));
    openFiles(paths);
}

void MainWindow::openFiles(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    if (paths.size() == 1 && isWorkspaceFile(systemPath(paths.first())))
        return openWorkspace(paths.first());
    if (paths == m_opened)
        return loadFiles(paths); // once more: what belongs to them stays
    unlessUnsaved([this, paths] {
        m_leavesWorkspace = true;
        loadFiles(paths);
    });
}

void MainWindow::loadFiles(const QStringList& paths)
{
    m_opened = paths;
    m_awaitsPicture = false;
    m_session.open(paths);
}

void MainWindow::openFile(const QString& path)
{
    openFiles({path});
}

void MainWindow::showDocument(const std::shared_ptr<const Document>& document, bool sameRun)
{
    const QString name = toQString(document->fileName());
    if (!sameRun)
        leaveWorkspace();
    if (m_remember && !sameRun && !m_pendingWorkspace)
        m_recent.add(m_opened.size() == 1 ? m_opened.first() : qtPath(document->path));
    if (!sameRun && m_compareSession.isOpen() && !m_compareSession.isLoading()
        && (isComparing() || isComparingLogs()))
        m_compareSession.close();
    if (!sameRun)
        hideReport();
    showLimits({document.get()});
    setSubject(name);
    putOnPage(document, sameRun);
    showPageOf(*document);
    refreshToolBar();
    m_awaitsPicture = true;
    m_toolBar->showDevices(*document);
    refreshFiles();
    refreshCommands();
    refreshStatus();
    applyPendingView(*document);
    goToDestination();
    goToWantedNote();
    offerShownRun();
}

void MainWindow::showFailure(const QString& path, const QString& sentence)
{
    m_error->showMessage(QFileInfo(path).fileName(), sentence);
    refreshFiles();
    m_awaitsPicture = false;
    m_leavesWorkspace = false;
    emit complete(path + QStringLiteral(": ") + sentence);
}

void MainWindow::goToDestination()
{
    const Goto destination = std::exchange(m_destination, Goto{});
    switch (destination.kind) {
    case Goto::Kind::Nowhere: break;
    case Goto::Kind::Peak: m_page->goToPeak(); break;
    case Goto::Kind::OutOfMemory: m_page->goToNextOutOfMemory(); break;
    case Goto::Kind::Event: m_page->goTo(destination.number); break;
    case Goto::Kind::Step: m_page->goToStep(static_cast<std::size_t>(destination.number)); break;
    }
}

void MainWindow::completeIfSettled()
{
    // Once more through the event loop: what the picture set off (layout, repainting) comes first.
    QTimer::singleShot(0, this, [this] {
        if (!m_awaitsPicture || !isPageSettled() || m_session.run().isLoading()
            || m_compareSession.isLoading())
            return;
        if (m_wantedView == QLatin1String("report") && !showsReport()) {
            m_wantedView.clear();
            showReport();
            return completeIfSettled();
        }
        m_awaitsPicture = false;
        emit complete({});
    });
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    if (m_remember) {
        QSettings settings;
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        settings.setValue(QStringLiteral("windowState"), saveState());
        settings.setValue(QStringLiteral("detailsPanel"), m_wantsDetails);
        saveNotesLayout(settings);
        m_page->saveLayout(settings);
        m_compare->saveLayout(settings);
    }
    if (m_remember)
        m_workspace->end(); // none of it is unsaved
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

} // namespace highwater::gui

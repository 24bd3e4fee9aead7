#include <algorithm>
#include <utility>

#include <QActionGroup>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>

#include "app/views/pages/start_page.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/message_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/compare_commands.h"
#include "app/window/commands/file_commands.h"
#include "app/window/commands/help_dialogs.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/note_navigation.h"
#include "app/window/commands/report_commands.h"
#include "app/window/commands/rules_command.h"
#include "app/window/commands/view_commands.h"
#include "app/window/commands/watch_commands.h"
#include "app/window/commands/workspace_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/main/setting_keys.h"
#include "app/window/main/side_dock.h"
#include "app/window/main/status_text.h"
#include "app/window/manual/manual_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
#include "app/window/palette/command_palette.h"
#include "app/window/progress/loading_bar.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/tasks/qt_text.h"

// Builds the parts of the window and connects them.

namespace highwater::gui {

namespace {

constexpr int kMessageMilliseconds = 6'000;
constexpr int kStatusHeight = 24;
constexpr int kStatusDelay = 40; ///< in milliseconds

QString shortcutText(const QAction& action)
{
    return action.shortcut().toString(QKeySequence::NativeText);
}

/// Goes to a place that the command line names.
void goTo(DocumentPage& page, const Goto& destination)
{
    switch (destination.kind) {
    case Goto::Kind::Nowhere: break;
    case Goto::Kind::Peak: page.goToPeak(); break;
    case Goto::Kind::OutOfMemory: page.goToNextOutOfMemory(); break;
    case Goto::Kind::Event: page.goTo(destination.number); break;
    case Goto::Kind::Step: page.goToStep(static_cast<std::size_t>(destination.number)); break;
    }
}

} // namespace

void MainWindow::buildCentre()
{
    auto* centre = new QWidget(this);
    m_error = new MessageBar(MessageBar::Kind::Error, centre);
    m_warning = new MessageBar(MessageBar::Kind::Warning, centre);
    m_done = new MessageBar(MessageBar::Kind::Question, centre);
    named(m_done, "doneBar", tr("Done"));
    m_question = new MessageBar(MessageBar::Kind::Question, centre);
    m_unsaved = new MessageBar(MessageBar::Kind::Question, centre);
    named(m_unsaved, "unsavedBar", tr("Unsaved notes"));
    m_pages = std::make_unique<WindowPages>(m_sessions, m_recent, centre);
    layColumn(centre, {m_unsaved, m_question, m_error, m_warning, m_done, {&m_pages->stack, 1}});
    setCentralWidget(centre);
}

void MainWindow::buildCommands()
{
    DocumentPage& page = m_pages->document;
    m_actions = std::make_unique<Actions>(*this, page);
    m_byteCommands = new ByteCommands(page, *m_actions->view, m_remember, this);
    m_rulesCommand = new RulesCommand(page, *m_actions->view, m_remember, this);
    m_notes = new NoteCommands(*this, *m_actions->notes);
    m_toolBar = new MainToolBar({*m_actions, *m_byteCommands, *m_notes, m_sessions.run, page}, this);
    addToolBar(m_toolBar);
    m_pages->compare.addCommands(m_actions->open, {m_notes->addHere, m_actions->report});
    m_sideDock = new SideDock(page, m_pages->stack, m_notes->dock(), *this);
    m_noteNavigation = new NoteNavigation(*m_notes, m_pages->stack, page, m_sessions.run, this);
    m_workspace = std::make_unique<WorkspaceSession>(
        m_notes->list(), [this] { return m_workspaceCommands->collected(); },
        m_remember ? Autosave::defaultFolder() : QString());
    m_request = new OpenRequest(
        m_sessions, *m_workspace, [this] { return m_pages->stack.isSettled(); }, this);
    m_fileCommands = new FileCommands({*m_actions, m_recent, *m_request, page.run()}, m_remember, this);
    m_compareCommands = new CompareCommands(*m_actions, *m_pages, m_sessions, *m_request, this);
    m_report = new ReportCommands(*m_actions, m_pages->report,
        {m_pages->stack, page, m_sessions.run, m_byteCommands->capacities(), m_notes->list()}, this);
    m_workspaceCommands = new WorkspaceCommands(*m_actions, *m_workspace, *m_request,
        {m_pages->stack, page, m_sessions.run, m_sessions.other, m_pages->compare, m_pages->report,
            m_byteCommands->capacities(), m_notes->context()},
        *m_notes, m_remember, *this);
    new ViewCommands(*m_actions, m_pages->stack, page, this);
    buildStatusBar();
    m_watchCommands = new WatchCommands(*m_actions, *this);
}

void MainWindow::buildStatusBar()
{
    m_status = named(new StatusText(Qt::AlignLeft, this), "status");
    m_cursor = named(new StatusText(Qt::AlignRight, this), "cursorStatus");
    statusBar()->addWidget(m_status);
    statusBar()->addPermanentWidget(m_cursor);
    statusBar()->addPermanentWidget(new LoadingBar(m_sessions.loader, this));
    statusBar()->addPermanentWidget(new LoadingBar(m_sessions.run.run(), this));
    statusBar()->addPermanentWidget(new LoadingBar(m_sessions.other.loader(), this));
    statusBar()->addPermanentWidget(new LoadingBar(m_sessions.sweep, this));
    statusBar()->addPermanentWidget(new LoadingBar(*m_workspace, this));
    statusBar()->setSizeGripEnabled(false);
    // High enough for a progress bar.
    statusBar()->setFixedHeight(std::max(kStatusHeight, fontMetrics().height() + 8));
}

void MainWindow::connectCommands()
{
    const auto on = [this](QAction* action, auto&& run) { connect(action, &QAction::triggered, this, run); };
    on(m_actions->palette, [this] {
        DocumentPage* const page = m_pages->stack.offers().search ? &m_pages->document : nullptr;
        runCommandPalette(paletteSources(menuBar()->actions(), page, m_sessions.run, *m_notes), this);
    });
    on(m_actions->preferences, [this] { editPreferences(); });
    on(m_actions->quit, [this] { close(); });
    on(m_actions->nextRank, [this] { m_sessions.run.showNext(1); });
    on(m_actions->previousRank, [this] { m_sessions.run.showNext(-1); });
    on(m_actions->copyPicture, [this] { copyPicture(shownPicture(), *this); });
    on(m_actions->savePicture, [this] { askWhereToSavePicture(shownPicture(), *this); });
    on(m_actions->gpuActivity, [this] {
        setActivitiesShown(m_actions->gpuActivity->isChecked());
        openFiles(m_request->files());
    });
    on(m_actions->keepLarge, [this] {
        if (m_remember)
            QSettings().setValue(kKeepLargeKey, m_actions->keepLarge->isChecked());
        applyCache();
    });
    on(m_actions->forgetLarge, [] {
        if (const auto folder = TraceCache::defaultFolder())
            TraceCache(*folder).clear();
    });
    on(m_actions->details, [this] { m_pages->document.setDetailsWanted(m_actions->details->isChecked()); });
    const auto followDetails
        = [this] { m_actions->details->setChecked(m_pages->document.areDetailsShown()); };
    connect(&m_pages->document, &DocumentPage::sideChanged, m_actions->details, followDetails);
    followDetails();
    on(m_actions->manual, [this] { showManual(*this); });
    const auto showPage = [this](const QString& file) { showManualPage(*this, file); };
    connect(&m_pages->document, &DocumentPage::manualRequested, this, showPage);
    connect(&m_pages->log, &LogPage::manualRequested, this, showPage);
    on(m_actions->keys, [this] { showKeys(this); });
    on(m_actions->about, [this] { showAbout(this); });
    connect(m_actions->themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        setTheme(themeFromName(action->data().toString()));
        if (m_remember)
            QSettings().setValue(kThemeKey, action->data());
    });
    connect(m_fileCommands, &FileCommands::openRequested, this, &MainWindow::openFiles);
    connect(m_fileCommands, &FileCommands::addRequested, this, &MainWindow::addFiles);
    connect(m_fileCommands, &FileCommands::configurationChosen, this, &MainWindow::openConfiguration);
    connect(m_watchCommands, &WatchCommands::found, this, &MainWindow::takeFound);
    connect(m_watchCommands, &WatchCommands::arrived, this, &MainWindow::takeArrived);
    connect(m_watchCommands, &WatchCommands::failed, this, [this](const QString& folder, const QString& why) {
        m_error->showMessage(QFileInfo(folder).fileName(), tr("%1. Watching has stopped").arg(why));
    });
    on(m_actions->compareLast, [this] {
        m_question->dismiss();
        statusBar()->clearMessage(); // it may be the offer that is taken
    });
    connect(m_compareCommands, &CompareCommands::openRequested, this, &MainWindow::openFiles);
    connect(m_compareCommands, &CompareCommands::addRequested, this, &MainWindow::addFiles);
    connect(m_compareCommands, &CompareCommands::sweepRequested, this, &MainWindow::sweepFiles);
    connect(m_compareCommands, &CompareCommands::compareRequested, this,
        [this](const QString& before, const QString& after) { compareFiles(before, after, true); });
}

void MainWindow::connectRequest()
{
    connect(m_request, &OpenRequest::complete, this, &MainWindow::complete);
    connect(m_request, &OpenRequest::opened, m_watchCommands, &WatchCommands::setDialogFolderFrom);
    for (MessageBar* bar : {m_error, m_unsaved, m_question, m_done}) // they are about another file
        connect(m_request, &OpenRequest::started, bar, &MessageBar::dismiss);
    connect(m_request, &OpenRequest::opened, &m_pages->document.run(), &RunState::leaveFor);
    connect(m_request, &OpenRequest::complete, this, [this] {
        if (m_remember)
            m_workspaceCommands->offerUnsavedWork(*m_unsaved);
    });
    connect(m_request, &OpenRequest::failed, this, [this](const QString& path, const QString& sentence) {
        m_error->showMessage(QFileInfo(path).fileName(), sentence);
    });
    connect(m_request, &OpenRequest::documentReady, this, [this](const auto& document, bool sameRun) {
        if (!sameRun) {
            m_report->hide();
            m_limited.clear(); // the limits are shown again for every file that is opened
        }
        m_pages->open(document, sameRun);
        if (!sameRun) {
            m_pages->document.openFirstView(std::exchange(m_wantedView, {}));
            if (m_notes->list().size() == 0) // an empty list of notes must not cover the details
                m_sideDock->showInFront();
        }
        m_noteNavigation->goToPendingNote();
    });
    connect(m_request, &OpenRequest::destinationReady, this,
        [this](const Goto& destination) { goTo(m_pages->document, destination); });
    connect(m_request, &OpenRequest::workspaceViewReady, this, [this](const WorkspaceFile& file) {
        if (!file.view.open.empty())
            openView(toQString(file.view.open));
    });
    connect(m_request, &OpenRequest::reportWanted, m_report, &ReportCommands::show);
    connect(&m_sessions.run, &RunSession::changed, this, [this] {
        const RunSession& run = m_sessions.run;
        for (QAction* action : {m_actions->nextRank, m_actions->previousRank})
            action->setVisible(run.hasSeveralFiles());
        m_actions->nextRank->setEnabled(run.shown() && run.hasNext(1));
        m_actions->previousRank->setEnabled(run.shown() && run.hasNext(-1));
    });
}

/// Opens the newest recording of a watched folder if nothing is open or being opened, else offers it unless
/// it is open.
void MainWindow::takeFound(const QString& path)
{
    if (m_pages->stack.isCurrent(m_pages->start) && !m_request->isLoading())
        return openFiles({path});
    const auto isSame = [wanted = QFileInfo(path).canonicalFilePath()](
                            const QString& file) { return QFileInfo(file).canonicalFilePath() == wanted; };
    if (std::ranges::none_of(m_request->files(), isSame))
        offer({path}, tr("is the newest recording in the watched folder."));
}

/// Opens new recordings, but only offers them while there is unsaved work, or a comparison is on screen.
void MainWindow::takeArrived(const QStringList& paths, const QString& previous)
{
    if (!previous.isEmpty())
        m_compareCommands->setPrevious(paths, previous);
    const bool compares = m_pages->stack.current().offers().swap;
    if (compares || m_workspace->isDirty())
        return offer(paths, tr("has arrived in the watched folder."));
    openFiles(paths);
    const QString name = QFileInfo(paths.first()).fileName();
    statusBar()->showMessage(previous.isEmpty()
            ? tr("%1 has arrived").arg(name)
            : tr("%1 has arrived; press %2 to compare it with %3")
                  .arg(name, shortcutText(*m_actions->compareLast), QFileInfo(previous).fileName()),
        kMessageMilliseconds);
}

/// Offers to compare a recording of the watched folder with the run on screen, or to open it.
void MainWindow::offer(const QStringList& paths, const QString& sentence)
{
    m_compareCommands->offer(paths.first());
    m_question->ask(QFileInfo(paths.first()).fileName(), sentence,
        {{tr("Compare"),
             tr("Compare the run on screen with the new recording (%1)")
                 .arg(shortcutText(*m_actions->compareLast)),
             [this] { m_actions->compareLast->trigger(); }},
            {tr("Open"), tr("Replace the run on screen"), [this, paths] { openFiles(paths); }}});
}

void MainWindow::connectPages()
{
    PageStack& stack = m_pages->stack;
    connect(&stack, &PageStack::changed, this, &MainWindow::followPage);
    connect(&stack, &PageStack::changed, m_request, &OpenRequest::check);
    connect(&stack, &PageStack::settled, m_request, &OpenRequest::check);
    connect(&stack, &PageStack::settled, this, &MainWindow::refreshStatus);
    connect(&stack, &PageStack::statusChanged, this, &MainWindow::refreshCursor);
    connect(&m_pages->document, &Page::said, this,
        [this](const QString& text) { statusBar()->showMessage(text, kMessageMilliseconds); });
    m_statusLater.setSingleShot(true);
    m_statusLater.setInterval(kStatusDelay);
    connect(&m_statusLater, &QTimer::timeout, this, &MainWindow::refreshStatus);
    connect(&m_pages->start, &StartPage::openRequested, m_fileCommands, &FileCommands::chooseFiles);
    connect(&m_pages->start, &StartPage::folderRequested, m_fileCommands, &FileCommands::chooseFolder);
    connect(&m_pages->start, &StartPage::comparisonRequested, this,
        [this](const QString& before, const QString& after) { compareFiles(before, after); });
    connect(&m_pages->start, &StartPage::fileRequested, this, &MainWindow::openFile);
    connect(&m_pages->report, &ReportView::configurationRequested, m_fileCommands,
        &FileCommands::chooseConfiguration);
}

void MainWindow::connectMessages()
{
    connect(&m_pages->report, &ReportView::saved, this, [this](const QString& path) {
        const QFileInfo file(path);
        m_done->ask(file.fileName(),
            tr("Report saved in %1").arg(QDir::toNativeSeparators(file.absolutePath())),
            {{tr("Open"), tr("Open the report in the default program"), [this, file] {
                  m_done->dismiss();
                  QDesktopServices::openUrl(QUrl::fromLocalFile(file.absoluteFilePath()));
              }}});
    });
    connect(
        &m_pages->report, &ReportView::failed, this, [this](const QString& path, const QString& sentence) {
            m_error->showMessage(QFileInfo(path).fileName(), sentence);
        });
    connect(m_workspace.get(), &WorkspaceSession::changed, this, &MainWindow::refreshTitle);
    connect(m_workspace.get(), &WorkspaceSession::saveFailed, this,
        [this](const QString& path, const QString& sentence) {
            m_error->showMessage(QFileInfo(path).fileName(),
                tr("%1. The file was not changed; your notes are still here").arg(sentence));
        });
    connect(m_workspaceCommands, &WorkspaceCommands::saved, this, [this](const QString& path) {
        m_error->dismiss();
        if (m_remember)
            m_recent.add(path);
        statusBar()->showMessage(tr("Saved as %1").arg(path), kMessageMilliseconds);
    });
    connect(m_workspaceCommands, &WorkspaceCommands::momentsWanted, m_compareCommands,
        &CompareCommands::compareMoments);
    connect(m_workspaceCommands, &WorkspaceCommands::remarked, this,
        [this](const QString& text) { statusBar()->showMessage(text, kMessageMilliseconds); });
    connect(&WorkFailures::instance(), &WorkFailures::outOfMemory, this,
        [this](const QString& sentence) { m_error->showMessage(tr("The last action"), sentence); });
}

} // namespace highwater::gui

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>

#include "app/views/parts/message_bar.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/missing_sources_dialog.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/main/workspace_state.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/progress/workspace_loading_bar.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"

// The workspace: the open files, the notes on them, and the state of the views.

namespace highwater::gui {

namespace {

constexpr int kMessageMilliseconds = 6'000;
const QString kEnding = QStringLiteral("highwater");

/// The problem with the first file of a workspace that has changed.
QString firstProblem(const OpenedWorkspace& opened)
{
    const auto sentence = [](const WorkspaceReference& reference, const ResolvedSource& resolved) {
        return toQString(reference.path + ' ' + stateText(reference, resolved));
    };
    for (std::size_t i = 0; i < opened.sources.size(); ++i)
        if (opened.sources[i].state > SourceState::Moved)
            return sentence(opened.read.file.sources[i].file, opened.sources[i]);
    return opened.configuration ? sentence(*opened.read.file.configuration, *opened.configuration)
                                : QString();
}

/// Files that were found elsewhere, and parts of the document that were ignored.
QString remarksOn(const OpenedWorkspace& opened)
{
    QStringList remarks;
    for (std::size_t i = 0; i < opened.sources.size(); ++i)
        if (opened.sources[i].state == SourceState::Moved)
            remarks << toQString(opened.read.file.sources[i].file.path + ' '
                + stateText(opened.read.file.sources[i].file, opened.sources[i]));
    for (const std::string& warning : opened.read.warnings)
        remarks << toQString(warning);
    return remarks.join(QStringLiteral("; "));
}

} // namespace

void MainWindow::buildWorkspace()
{
    m_workspace = std::make_unique<WorkspaceSession>(
        m_notes->list(),
        [this] {
            WorkspaceFile file = collectWorkspace(workspaceParts());
            file.report = workspaceReport();
            return file;
        },
        m_remember ? Autosave::defaultFolder() : QString());
    statusBar()->addPermanentWidget(new WorkspaceLoadingBar(*m_workspace, this));
    connect(m_workspace.get(), &WorkspaceSession::opened, this, &MainWindow::takeWorkspace);
    connect(m_workspace.get(), &WorkspaceSession::failed, this, &MainWindow::showFailure);
    connect(m_workspace.get(), &WorkspaceSession::saved, this, &MainWindow::takeSaved);
    connect(m_workspace.get(), &WorkspaceSession::saveFailed, this, &MainWindow::takeSaveFailure);
    connect(m_workspace.get(), &WorkspaceSession::changed, this, &MainWindow::refreshTitle);
    connect(&m_compare->state(), &ComparisonState::runsChanged, this, [this] {
        if (!m_compare->state().comparison() || !m_pendingComparison)
            return;
        applyComparison(*m_compare, *m_pendingComparison);
        m_pendingComparison.reset();
    });
    connect(this, &MainWindow::complete, this, [this](const QString& error) {
        if (!error.isEmpty())
            return takeWorkspaceFailure();
        if (isComparingLogs()) // a comparison of logs has no axis and no rows
            m_pendingComparison.reset();
        if (!m_pendingComparison) // else the other run is still to come
            m_workspace->settle();
    });
    for (DocumentLoader* loader : {&m_loader, &m_compareSession.loader()})
        connect(loader, &DocumentLoader::cancelled, this, &MainWindow::takeWorkspaceFailure);
    connectWorkspaceChanges();
    refreshTitle();
    if (m_remember)
        QTimer::singleShot(0, this, &MainWindow::offerUnsavedWork);
}

/// What belongs into a workspace, and is no view.
void MainWindow::connectWorkspaceChanges()
{
    const auto noteChange = [this] { m_workspace->noteChange(); };
    connect(&m_page->companions(), &CompanionSources::sourcesChanged, m_workspace.get(), noteChange);
    connect(&m_page->reading(), &AnalysisSettings::busyChanged, m_workspace.get(), noteChange);
    connect(&m_byteCommands->capacities(), &CapacityChoices::changed, m_workspace.get(), noteChange);
    connect(&m_compare->state(), &ComparisonState::runsChanged, m_workspace.get(), noteChange);
    connect(&m_compareSession, &CompareSession::closed, m_workspace.get(), noteChange);
    connect(&m_page->run(), &RunState::configurationChanged, m_workspace.get(), noteChange);
}

WorkspaceParts MainWindow::workspaceParts()
{
    return {*m_page, m_session, m_compareSession, *m_compare, m_byteCommands->capacities(), m_ownRun};
}

void MainWindow::openWorkspace(const QString& path, const QString& view)
{
    unlessUnsaved([this, path, view] {
        m_workspaceView = view;
        m_error->dismiss();
        m_workspace->open(path);
    });
}

void MainWindow::takeWorkspace(const std::shared_ptr<const OpenedWorkspace>& opened, const QString& path)
{
    if (!MissingSourcesDialog::isNeededFor(*opened))
        return showWorkspace(*opened, resolvedFile(*opened), path);
    if (!m_remember) // nobody is there to ask
        return showFailure(path, firstProblem(*opened));
    MissingSourcesDialog dialog(*opened, this);
    if (dialog.exec() == QDialog::Accepted)
        showWorkspace(*opened, dialog.file(), path);
}

void MainWindow::showWorkspace(const OpenedWorkspace& opened, WorkspaceFile file, const QString& path)
{
    if (file.sources.empty())
        return showFailure(path, tr("it has no files that could be shown"));
    m_leavesWorkspace = true;
    leaveWorkspace();
    m_compareSession.close();
    m_compareSession.setShown(std::nullopt); // the run on screen is none of its runs
    m_rulesOutside = m_page->reading().rules();
    m_workspace->begin(opened, path);
    m_ownRun = runsOf(file).role;
    if (m_remember && !path.isEmpty())
        m_recent.add(path);
    if (!m_workspaceView.isEmpty())
        file.view.open = std::exchange(m_workspaceView, QString()).toStdString();
    applyChoices(workspaceParts(), file);
    takeWorkspaceReport(file.report);
    const WorkspaceRuns runs = runsOf(file);
    if (!runs.other.isEmpty())
        m_compareSession.open(runs.other,
            runs.role == NoteRun::After ? CompareSession::Role::Before : CompareSession::Role::After);
    loadFiles(runs.files);
    if (const auto shown = m_session.run().indexOf(systemPath(runs.shown)); shown && runs.files.size() > 1)
        m_session.show(*shown);
    // From here on a cancelled request is one of these.
    m_pendingComparison = runs.other.isEmpty() ? std::nullopt : std::optional(file.view);
    m_pendingWorkspace = std::move(file);
    if (const QString remarks = remarksOn(opened); !remarks.isEmpty())
        statusBar()->showMessage(remarks, kMessageMilliseconds);
}

/// The workspace's first file is on screen, as when it was saved.
void MainWindow::applyPendingView(const Document& document)
{
    if (!m_pendingWorkspace)
        return;
    const WorkspaceFile file = std::move(*std::exchange(m_pendingWorkspace, std::nullopt));
    if (qtPath(document.path) == runsOf(file).shown)
        applyView(workspaceParts(), file);
    if (!file.view.open.empty())
        openView(toQString(file.view.open));
    refreshCommands();
}

/// One of its files cannot be shown: the workspace is on screen only in part, or not at all.
void MainWindow::takeWorkspaceFailure()
{
    if (m_pendingWorkspace && !m_workspace->isDirty())
        m_workspace->end();
    else if (m_pendingWorkspace || m_pendingComparison)
        m_workspace->detach();
    m_pendingWorkspace.reset();
    m_pendingComparison.reset();
}

/// Once something else is there.
void MainWindow::leaveWorkspace()
{
    if (!std::exchange(m_leavesWorkspace, false))
        return;
    if (m_rulesOutside)
        m_page->reading().setRules(*std::exchange(m_rulesOutside, std::nullopt));
    m_pendingWorkspace.reset();
    m_pendingComparison.reset();
    m_workspace->end();
}

void MainWindow::saveWorkspace()
{
    if (m_workspace->isOpen())
        m_workspace->save(m_workspace->path());
    else
        saveWorkspaceAs();
}

void MainWindow::saveWorkspaceAs()
{
    const QFileInfo first(m_opened.value(0));
    QFileDialog dialog(this, tr("Save the workspace"), first.path(), tr("Workspaces (*.highwater)"));
    dialog.setObjectName(QStringLiteral("saveWorkspaceDialog"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(kEnding);
    dialog.selectFile(m_workspace->isOpen()
            ? m_workspace->path()
            : first.fileName().section(QLatin1Char('.'), 0, 0) + QLatin1Char('.') + kEnding);
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty())
        m_workspace->save(dialog.selectedFiles().first());
    else
        m_afterSave = {};
}

void MainWindow::takeSaved(const QString& path)
{
    m_error->dismiss();
    if (m_remember)
        m_recent.add(path);
    statusBar()->showMessage(tr("Saved as %1").arg(path), kMessageMilliseconds);
    if (const std::function<void()> next = std::exchange(m_afterSave, {}))
        next();
}

void MainWindow::takeSaveFailure(const QString& path, const QString& sentence)
{
    m_afterSave = {};
    m_error->showMessage(
        QFileInfo(path).fileName(), tr("%1. The file is as it was; your notes are still here").arg(sentence));
}

QMessageBox::StandardButton MainWindow::askAboutUnsaved()
{
    const QString name = m_workspace->isOpen() ? QFileInfo(m_workspace->path()).fileName() : m_subject;
    const bool isNotes = !m_notes->list().undoStack().isClean();
    QMessageBox box(QMessageBox::Question, tr("Not saved"),
        isNotes ? tr("%1 has notes that are not saved.").arg(name)
                : tr("%1 has changes that are not saved.").arg(name),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("unsavedBox"));
    box.setInformativeText(tr("Without saving they are lost."));
    box.setDefaultButton(QMessageBox::Save);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

/// Calls it unless the user wants to keep unsaved work.
void MainWindow::unlessUnsaved(const std::function<void()>& next)
{
    const bool asks = m_remember && m_workspace->isDirty();
    const auto answer = asks ? askAboutUnsaved() : QMessageBox::Discard;
    if (answer == QMessageBox::Discard)
        return next();
    if (answer != QMessageBox::Save)
        return;
    m_afterSave = next;
    saveWorkspace();
}

/// False: the window stays, or closes by itself once everything is saved.
bool MainWindow::mayClose()
{
    const bool asks = m_remember && m_workspace->isDirty() && !m_workspace->isSaving();
    const auto answer = asks ? askAboutUnsaved() : QMessageBox::NoButton;
    if (answer == QMessageBox::Cancel)
        return false;
    if (answer == QMessageBox::Discard)
        m_workspace->end();
    if (answer != QMessageBox::Save && !m_workspace->isSaving())
        return true;
    m_afterSave = [this] { close(); };
    if (answer == QMessageBox::Save)
        saveWorkspace();
    return false;
}

void MainWindow::offerUnsavedWork()
{
    const QList<Autosave::Orphan> orphans = m_workspace->autosave().orphans();
    if (orphans.isEmpty())
        return;
    const Autosave::Orphan newest = orphans.first();
    const QString when = QLocale::c().toString(newest.written, QStringLiteral("d MMMM, HH:mm"));
    m_question->ask(tr("Unsaved notes"),
        tr("Highwater ended on %1 without saving the notes that were open.").arg(when),
        {{tr("Restore"), tr("Open them with their files, as they were then"),
             [this, newest] { unlessUnsaved([this, newest] { m_workspace->open(newest.path, true); }); }},
            {tr("Discard"), tr("Delete this copy; nothing else is touched"), [this, newest] {
                 Autosave::discard(newest.path);
                 offerUnsavedWork();
             }}});
}

void MainWindow::setSubject(const QString& subject)
{
    m_subject = subject;
    refreshTitle();
}

void MainWindow::refreshTitle()
{
    const bool isDirty = m_workspace->isDirty();
    const QString mark = m_workspace->isOpen() || isDirty ? QStringLiteral("[*]") : QString();
    QStringList parts;
    if (m_workspace->isOpen())
        parts << QFileInfo(m_workspace->path()).fileName() + mark;
    if (!m_subject.isEmpty())
        parts << m_subject + (parts.isEmpty() ? mark : QString());
    parts << QStringLiteral("Highwater") + (parts.isEmpty() ? mark : QString());
    setWindowTitle(parts.join(QStringLiteral(" — ")));
    setWindowModified(isDirty);
}

} // namespace highwater::gui

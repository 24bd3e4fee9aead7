#include "app/window/commands/workspace_commands.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include "app/loading/files/workspace_store.h"
#include "app/views/pages/page_stack.h"
#include "app/views/pages/start_page.h"
#include "app/views/parts/message_bar.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/actions.h"
#include "app/window/commands/missing_sources_dialog.h"
#include "app/window/commands/note_commands.h"
#include "app/window/opening/open_request.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "app/workspace/view/capacity_choices.h"

namespace highwater::gui {

namespace {

const QString kEnding = QStringLiteral("highwater");

/// Describes the problem with the first missing or changed file of a workspace.
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

/// Lists files that were found elsewhere, and ignored parts of the workspace file.
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

/// Returns the files of a copy left by a crash, that on screen first; none if it cannot be read.
QStringList filesOf(const QString& copy)
{
    QStringList files;
    const Result<ParsedWorkspace> read = readWorkspace(systemPath(copy));
    if (!read)
        return files;
    for (const WorkspaceSource& source : read->file.sources) {
        const std::string& path = source.file.lastSeen.empty() ? source.file.path : source.file.lastSeen;
        source.isShown ? files.prepend(qtPath(path)) : files.append(qtPath(path));
    }
    return files;
}

/// True if one of the files is on the page.
bool isAnyShown(const QStringList& files, const std::vector<NoteSubject>& subjects)
{
    return std::ranges::any_of(subjects, [&](const NoteSubject& subject) {
        const QFileInfo shown(qtPath(subject.document->path));
        return std::ranges::any_of(files, [&](const QString& file) { return QFileInfo(file) == shown; });
    });
}

} // namespace

WorkspaceCommands::WorkspaceCommands(Actions& actions, WorkspaceSession& session, OpenRequest& request,
    const WorkspaceParts& parts, NoteCommands& notes, bool remember, QMainWindow& window)
    : QObject(&window)
    , m_session(session)
    , m_request(request)
    , m_parts(parts)
    , m_notes(notes)
    , m_remember(remember)
    , m_window(window)
{
    connect(actions.saveWorkspace, &QAction::triggered, this, &WorkspaceCommands::save);
    connect(actions.saveWorkspaceAs, &QAction::triggered, this, &WorkspaceCommands::saveAs);
    connect(&m_session, &WorkspaceSession::opened, this, &WorkspaceCommands::takeOpened);
    connect(&m_session, &WorkspaceSession::saved, this, [this](const QString& path) {
        emit saved(path);
        if (const std::function<void()> next = std::exchange(m_afterSave, {}))
            next();
    });
    connect(&m_session, &WorkspaceSession::saveFailed, this, [this] { m_afterSave = {}; });
    connectRequest();
    connectChanges();
}

void WorkspaceCommands::connectRequest()
{
    connect(&m_request, &OpenRequest::workspaceLeft, this, &WorkspaceCommands::restoreRules);
    connect(&m_request, &OpenRequest::workspaceBegun, this, &WorkspaceCommands::begin);
    connect(&m_request, &OpenRequest::workspaceViewReady, this, [this](const WorkspaceFile& file) {
        if (qtPath(m_parts.page.document()->path) != runsOf(file).shown)
            return;
        applyView(m_parts, file);
        if (const auto& events = file.view.comparedEvents; events && runsOf(file).comparedFile.isEmpty()) {
            applyComparison(m_parts.compare, file.view);
            emit momentsWanted(events->first, events->second);
        }
    });
    connect(&m_request, &OpenRequest::workspaceComparisonReady, this,
        [this](const WorkspaceView& view) { applyComparison(m_parts.compare, view); });
}

/// Reports changes to what a workspace stores, other than the view.
void WorkspaceCommands::connectChanges()
{
    const auto noteChange = [this] { m_session.noteChange(); };
    connect(&m_parts.page.auxiliarySources(), &AuxiliarySources::sourcesChanged, this, noteChange);
    connect(&m_parts.page.analysisSettings(), &AnalysisSettings::busyChanged, this, noteChange);
    connect(&m_parts.page.run(), &RunState::configurationChanged, this, noteChange);
    connect(&m_parts.capacities, &CapacityChoices::changed, this, noteChange);
    connect(&m_parts.compare.state(), &ComparisonState::runsChanged, this, noteChange);
    connect(&m_parts.compareSession, &CompareSession::closed, this, noteChange);
    connect(&m_parts.report, &ReportView::edited, this, noteChange);
}

void WorkspaceCommands::open(const QString& path, const QString& view)
{
    settleUnsavedThen([this, path, view] {
        m_requestedView = view;
        m_session.open(path);
    });
}

void WorkspaceCommands::takeOpened(const std::shared_ptr<const OpenedWorkspace>& opened, const QString& path)
{
    if (!MissingSourcesDialog::isNeededFor(*opened))
        return show(*opened, resolvedFile(*opened), path);
    if (!m_remember) // a script runs the program, so nobody can answer
        return m_request.fail(path, firstProblem(*opened));
    MissingSourcesDialog dialog(*opened, &m_window);
    if (dialog.exec() == QDialog::Accepted)
        show(*opened, dialog.file(), path);
}

void WorkspaceCommands::show(const OpenedWorkspace& opened, WorkspaceFile file, const QString& path)
{
    if (!m_requestedView.isEmpty())
        file.view.open = std::exchange(m_requestedView, QString()).toStdString();
    m_request.openWorkspace(opened, file, path);
    if (const QString remarks = remarksOn(opened); !remarks.isEmpty())
        emit remarked(remarks);
}

void WorkspaceCommands::begin(const WorkspaceFile& file)
{
    m_previousRules = m_parts.page.analysisSettings().rules();
    applyChoices(m_parts, file);
}

void WorkspaceCommands::restoreRules()
{
    if (m_previousRules)
        m_parts.page.analysisSettings().setRules(*std::exchange(m_previousRules, std::nullopt));
}

void WorkspaceCommands::save()
{
    if (m_session.isOpen())
        m_session.save(m_session.path());
    else
        saveAs();
}

void WorkspaceCommands::saveAs()
{
    const QFileInfo first(m_request.files().value(0));
    QFileDialog dialog(&m_window, tr("Save the workspace"), first.path(), tr("Workspaces (*.highwater)"));
    dialog.setObjectName(QStringLiteral("saveWorkspaceDialog"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(kEnding);
    dialog.selectFile(m_session.isOpen()
            ? m_session.path()
            : first.fileName().section(QLatin1Char('.'), 0, 0) + QLatin1Char('.') + kEnding);
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty())
        m_session.save(dialog.selectedFiles().first());
    else
        m_afterSave = {};
}

QMessageBox::StandardButton WorkspaceCommands::askAboutUnsaved()
{
    const QString name
        = m_session.isOpen() ? QFileInfo(m_session.path()).fileName() : m_parts.pages.current().title();
    const QUndoStack& history = m_notes.list().undoStack();
    const bool isUndone = history.index() < history.cleanIndex();
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
        isUndone                 ? tr("Saved changes to the notes of %1 are undone.").arg(name)
            : !history.isClean() ? tr("%1 has unsaved notes.").arg(name)
                                 : tr("%1 has unsaved changes.").arg(name),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
    box.setObjectName(QStringLiteral("unsavedBox"));
    box.setInformativeText(
        isUndone ? tr("Save removes them from the file as well.") : tr("They are lost if you do not save."));
    box.setDefaultButton(QMessageBox::Save);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

void WorkspaceCommands::settleUnsavedThen(const std::function<void()>& next)
{
    const bool mustAsk = m_remember && m_session.isDirty();
    const auto answer = mustAsk ? askAboutUnsaved() : QMessageBox::Discard;
    if (answer == QMessageBox::Discard)
        return next();
    if (answer != QMessageBox::Save)
        return;
    m_afterSave = next;
    save();
}

bool WorkspaceCommands::mayClose()
{
    const bool mustAsk = m_remember && m_session.isDirty() && !m_session.isSaving();
    const auto answer = mustAsk ? askAboutUnsaved() : QMessageBox::NoButton;
    if (answer == QMessageBox::Cancel)
        return false;
    if (answer == QMessageBox::Discard)
        m_session.end();
    if (answer != QMessageBox::Save && !m_session.isSaving())
        return true;
    m_afterSave = [this] { m_window.close(); };
    if (answer == QMessageBox::Save)
        save();
    return false;
}

void WorkspaceCommands::offerUnsavedWork(MessageBar& bar)
{
    bar.dismiss();
    if (m_request.isLoading())
        return;
    const bool isStart = dynamic_cast<const StartPage*>(&m_parts.pages.current()) != nullptr;
    for (const Autosave::Orphan& orphan : m_session.autosave().orphans()) {
        const QStringList files = filesOf(orphan.path);
        if (isStart || isAnyShown(files, m_parts.pages.current().subjects()))
            return offer(orphan, files, bar);
    }
}

void WorkspaceCommands::offer(const Autosave::Orphan& orphan, const QStringList& files, MessageBar& bar)
{
    const QString written = QLocale::c().toString(orphan.written, QStringLiteral("d MMMM, HH:mm"));
    const QString name
        = files.isEmpty() ? QFileInfo(orphan.path).fileName() : QFileInfo(files.first()).fileName();
    bar.ask(tr("Unsaved notes"),
        files.size() > 1
            ? tr("on %1 and %2, of %3. This message ends once they are restored and saved")
                  .arg(name, countedText(files.size() - 1, "other file", "other files"), written)
            : tr("on %1, of %2. This message ends once they are restored and saved").arg(name, written),
        {{tr("Restore"), tr("Open the notes and their files as they were"),
             [this, orphan] { settleUnsavedThen([this, orphan] { m_session.open(orphan.path, true); }); }},
            {tr("Discard"), tr("Delete this copy and nothing else"), [this, orphan, &bar] {
                 Autosave::discard(orphan.path);
                 offerUnsavedWork(bar);
             }}});
}

} // namespace highwater::gui

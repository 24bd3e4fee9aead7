#include "app/window/opening/open_request.h"

#include <utility>

#include <QFileInfo>
#include <QTimer>

#include "app/loading/run/main_of_folder.h"
#include "app/window/opening/workspace_state.h"
#include "app/workspace/tasks/system_path.h"
#include "core/base/interruption.h"

// Turns a request to open something into a complete screen, and reports when it is complete.
// Input: a request from the user, and the signals of the sessions that load its files.
// Idea: `m_pending` holds the request and the parts of it that are not on screen yet. The stage is Loading
// until the first file is on screen, OnScreen until everything is complete, and then Idle. A new request
// drops the pending one.
// Example: a workspace with the run `tiny`, compared with the run `before`.
//   openWorkspace      notes are replaced, `workspaceBegun`; both files are being loaded, stage Loading
//   tiny is loaded     `documentReady`, then `workspaceViewReady`; stage OnScreen
//   before is loaded   the window shows the comparison, calls takeComparison: `workspaceComparisonReady`
//   all is settled     the workspace is settled, `complete("")`; stage Idle
// If `before` is loaded first, takeComparison only notes that; the comparison is restored after the view. If
// `before` cannot be read, `complete` reports the error, and the workspace is detached from its file.

namespace highwater::gui {

namespace {

/// Returns the main files of two folders, for the same rank in both. Returns nothing if a folder has no main
/// file; the session that opens this folder then reports the error.
std::optional<std::pair<QString, QString>> comparedFiles(
    const QString& before, const QString& after, const StopToken& stop)
{
    LoadOptions options;
    options.stop = stop;
    Result<FolderChoice> first = chooseInFolder(systemPath(before), {}, options);
    Result<FolderChoice> second = chooseInFolder(systemPath(after), {}, options);
    if (!first || !second)
        return std::nullopt;
    alignRanks(*first, *second);
    return std::pair(qtPath(first->path()), qtPath(second->path()));
}

} // namespace

OpenRequest::OpenRequest(
    OpenSessions& sessions, WorkspaceSession& workspace, IsSettled isSettled, QObject* parent)
    : QObject(parent)
    , m_sessions(sessions)
    , m_workspace(workspace)
    , m_isSettled(std::move(isSettled))
{
    connectSessions();
}

void OpenRequest::connectSessions()
{
    RunSession& run = m_sessions.run;
    connect(&m_sessions.loader, &DocumentLoader::started, this, &OpenRequest::started);
    connect(&run, &RunSession::documentReady, this, &OpenRequest::takeDocument);
    connect(&run, &RunSession::failed, this, &OpenRequest::takeFailure);
    connect(&run, &RunSession::cancelled, this, [this] {
        if (m_stage == Stage::Loading)
            abandon();
    });
    connect(&run.run(), &RunLoader::finished, this, &OpenRequest::check);

    CompareSession& secondSession = m_sessions.other;
    connect(&secondSession.loader(), &DocumentLoader::started, this, &OpenRequest::started);
    connect(&secondSession, &CompareSession::ready, this, &OpenRequest::awaitPicture);
    connect(&secondSession, &CompareSession::logsReady, this, [this] {
        m_pending.comparison.reset(); // logs have neither axis nor rows
        awaitPicture();
    });
    connect(&secondSession, &CompareSession::failed, this, &OpenRequest::takeSecondFailure);
    connect(&secondSession.loader(), &DocumentLoader::cancelled, this, [this] {
        dropSecond();
        check();
    });

    connect(&m_sessions.sweep, &SweepSession::finished, this, [this] {
        if (m_sessions.sweep.isOpen())
            return check();
        if (m_pending.files == m_sweepPaths)
            m_stage = Stage::Idle;
        fail(m_sweepPaths.value(0), tr("there is no recording in this folder"));
    });
    connect(&m_workspace, &WorkspaceSession::failed, this, &OpenRequest::fail);
}

void OpenRequest::openFiles(const QStringList& paths)
{
    begin({.files = paths, .replaces = paths != m_files});
    m_sessions.run.open(paths);
}

void OpenRequest::compareFiles(const QString& before, const QString& after, bool isOfTable)
{
    begin({.files = {after}, .replaces = true, .hasSecond = true});
    closeComparison(isOfTable);
    if (!QFileInfo(before).isDir() || !QFileInfo(after).isDir()) {
        m_sessions.other.open(before, CompareSession::Role::Before);
        return m_sessions.run.open({after});
    }
    emit started();
    m_alignTask.run([this, before, after]() -> LatestTask::Delivery {
        const auto mainFiles = std::make_shared<std::optional<std::pair<QString, QString>>>(
            comparedFiles(before, after, InterruptibleScope::currentToken()));
        return [this, before, after, mainFiles] {
            m_sessions.other.open(*mainFiles ? (*mainFiles)->first : before, CompareSession::Role::Before);
            m_sessions.run.open({after}, *mainFiles ? (*mainFiles)->second : QString());
        };
    });
}

void OpenRequest::sweepFiles(const QStringList& paths, const std::vector<CategoryRule>& rules)
{
    begin({.files = paths});
    m_sweepPaths = paths;
    m_sessions.other.close();
    emit started();
    m_sessions.sweep.open(paths, rules);
    if (!m_sessions.sweep.isOpen()) // the handler of `finished` has reported the error
        return;
    emit sweepReady();
    m_stage = Stage::OnScreen;
    check();
}

void OpenRequest::openWorkspace(const OpenedWorkspace& opened, const WorkspaceFile& file, const QString& path)
{
    if (file.sources.empty())
        return fail(path, tr("it has no files to show"));
    const WorkspaceRuns runs = runsOf(file);
    begin({.files = runs.files, .hasSecond = !runs.comparedFile.isEmpty()});
    leaveWorkspace();
    closeComparison(false);
    m_workspace.begin(opened, path);
    if (!path.isEmpty())
        emit this->opened(path);
    emit workspaceBegun(file);
    m_pending.workspace = file;
    if (m_pending.hasSecond) {
        m_pending.comparison = file.view;
        m_sessions.other.open(runs.comparedFile,
            runs.role == NoteRun::After ? CompareSession::Role::Before : CompareSession::Role::After);
    }
    m_sessions.run.open(runs.files, runs.shown);
}

/// Drops the previous request and everything that is being loaded for it.
void OpenRequest::begin(Pending next)
{
    abandon();
    m_workspace.cancel();
    m_sessions.run.cancel();
    if (m_sessions.other.isLoading())
        m_sessions.other.cancel();
    m_pending = std::move(next);
    m_stage = Stage::Loading;
}

/// Closes the comparison: the run on screen is not one of those to be compared.
void OpenRequest::closeComparison(bool nextIsOfTable)
{
    m_sessions.other.close();
    m_sessions.other.setShown(std::nullopt);
    m_isOfTable = nextIsOfTable;
}

/// Drops the files that are not on screen yet. The workspace is then shown only in part, or not at all.
void OpenRequest::abandon()
{
    m_alignTask.drop();
    const Pending dropped = std::exchange(m_pending, {});
    if (dropped.workspace && !m_workspace.isDirty())
        m_workspace.end();
    else if (dropped.workspace || dropped.comparison)
        m_workspace.detach();
    if (m_stage == Stage::Loading && dropped.hasSecond)
        m_sessions.other.close(); // there is nothing to compare it with
    m_stage = Stage::Idle;
}

/// Drops the second run of a comparison; the first one stays, or is still being loaded.
void OpenRequest::dropSecond()
{
    m_pending.hasSecond = false;
    if (std::exchange(m_pending.comparison, std::nullopt) && !m_pending.workspace)
        m_workspace.detach();
}

void OpenRequest::leaveWorkspace()
{
    emit workspaceLeft();
    m_workspace.end();
}

void OpenRequest::takeDocument(const std::shared_ptr<const Document>& document, bool sameRun)
{
    if (!sameRun) {
        if (std::exchange(m_pending.replaces, false))
            leaveWorkspace();
        if (!m_pending.hasSecond)
            m_sessions.other.close();
        if (!m_pending.workspace)
            emit opened(m_pending.files.size() == 1 ? m_pending.files.first() : qtPath(document->path));
        m_files = m_pending.files;
    }
    m_stage = Stage::OnScreen;
    emit documentReady(document, sameRun);
    applyWorkspace();
    if (m_destination.kind != Goto::Kind::Nowhere)
        emit destinationReady(std::exchange(m_destination, Goto{}));
    check();
}

void OpenRequest::applyWorkspace()
{
    if (!m_pending.workspace)
        return;
    const WorkspaceFile file = *std::exchange(m_pending.workspace, std::nullopt);
    if (!runsOf(file).comparedFile.isEmpty() && !m_pending.comparison)
        m_workspace.detach(); // the second run could not be loaded
    emit workspaceViewReady(file);
    if (std::exchange(m_pending.isComparisonReady, false))
        takeComparison();
}

void OpenRequest::takeComparison()
{
    if (m_pending.workspace) { // the workspace's view must be restored first
        m_pending.isComparisonReady = true;
        return;
    }
    if (const std::optional<WorkspaceView> view = std::exchange(m_pending.comparison, std::nullopt))
        emit workspaceComparisonReady(*view);
}

/// Handles a failure of the run. If the run is already on screen, only another of its files could not be
/// shown.
void OpenRequest::takeFailure(const QString& path, const QString& sentence)
{
    if (m_stage == Stage::Loading)
        abandon();
    m_stage = Stage::Idle;
    fail(path, sentence);
}

void OpenRequest::takeSecondFailure(const QString& path, const QString& sentence)
{
    dropSecond();
    if (m_stage == Stage::OnScreen)
        m_stage = Stage::Idle;
    fail(path, sentence);
}

void OpenRequest::fail(const QString& path, const QString& sentence)
{
    emit failed(path, sentence);
    emit complete(path + QStringLiteral(": ") + sentence);
}

void OpenRequest::awaitPicture()
{
    if (m_stage == Stage::Idle)
        m_stage = Stage::OnScreen;
    check();
}

void OpenRequest::check()
{
    // Checks after one more turn of the event loop, so that layout and repainting come first.
    QTimer::singleShot(0, this, [this] {
        const RunSession& run = m_sessions.run;
        if (m_stage != Stage::OnScreen || run.run().isLoading() || run.wanted() != run.shown()
            || m_sessions.other.isLoading() || !m_isSettled())
            return;
        if (std::exchange(m_wantsReport, false)) {
            emit reportWanted();
            return check();
        }
        m_stage = Stage::Idle;
        if (!m_pending.comparison)
            m_workspace.settle();
        emit complete({});
    });
}

} // namespace highwater::gui

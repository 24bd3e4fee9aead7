#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QStringList>

#include "app/workspace/compare/open_sessions.h"
#include "app/workspace/saved/workspace_session.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/go_to_target.h"

namespace highwater::gui {

/// What was asked for last, from the request until it is complete on screen: the files of a run, a second one
/// to compare with, a table of several, or a workspace that names them. A new request drops the one before;
/// what is on screen stays until the first file of the new one is there, and then an open workspace is left.
class OpenRequest : public QObject
{
    Q_OBJECT

public:
    /// Whether all that is on screen is complete.
    using IsSettled = std::function<bool()>;

    /// The sessions must outlive it, and nothing else may open their files.
    OpenRequest(
        OpenSessions& sessions, WorkspaceSession& workspace, IsSettled isSettled, QObject* parent = nullptr);

    /// The files of one run. The same ones once more are loaded again, and the workspace stays.
    void openFiles(const QStringList& paths);
    /// `isOfTable`: two of the table of runs, to which closing the comparison leads back.
    void compareFiles(const QString& before, const QString& after, bool isOfTable = false);
    /// A folder means the files in it.
    void sweepFiles(const QStringList& paths, const std::vector<CategoryRule>& rules);
    /// What a WorkspaceSession has opened, as far as the user wants it; `path` is empty for a copy that a
    /// crash has left.
    void openWorkspace(const OpenedWorkspace& opened, const WorkspaceFile& file, const QString& path);
    /// In the next file that comes on screen.
    void setDestination(const Goto& destination) { m_destination = destination; }
    /// The report is wanted as soon as everything else is complete.
    void wantReport() { m_wantsReport = true; }

    /// Of the run on screen, as they were asked for.
    const QStringList& files() const { return m_files; }
    bool isOfTable() const { return m_isOfTable; }
    /// Another run is on its way, and the one on screen will go.
    bool isLoading() const { return m_stage == Stage::Loading; }

    /// To be told that the comparison of a workspace is on screen.
    void takeComparison();
    /// To be told that what is on screen may have become complete.
    void check();
    /// Something that was asked for cannot be opened.
    void fail(const QString& path, const QString& sentence);

signals:
    /// Something is being loaded.
    void started();
    /// What the user will know these files by: for the list of recent ones.
    void opened(const QString& path);
    /// To be put on screen. `sameRun`: in place of another file of the same run.
    void documentReady(const std::shared_ptr<const highwater::gui::Document>& document, bool sameRun);
    void destinationReady(const highwater::gui::Goto& destination);
    /// The table of runs is to be shown; its rows are still being read.
    void sweepReady();
    /// The open workspace gives way to other files. Its notes go next.
    void workspaceLeft();
    /// What it says of its files is to be applied before they are loaded.
    void workspaceBegun(const highwater::WorkspaceFile& file);
    /// Its first file is on screen, and then its comparison: they are to be looked at as they were.
    void workspaceViewReady(const highwater::WorkspaceFile& file);
    void workspaceComparisonReady(const highwater::WorkspaceView& view);
    void reportWanted();
    void failed(const QString& path, const QString& sentence);
    /// What was asked for is on screen, complete; or `error` says why it is not.
    void complete(const QString& error);

private:
    enum class Stage
    {
        Idle,
        Loading, ///< nothing of it is on screen
        OnScreen ///< not yet complete
    };
    struct Pending
    {
        QStringList files;
        bool replaces = false; ///< an open workspace is left for them
        bool hasSecond = false;
        std::optional<WorkspaceFile> workspace = {}; ///< to be put on screen with its first file
        std::optional<WorkspaceView> comparison = {}; ///< of the workspace, to be put on screen after that
        bool comparisonIsThere = false; ///< before the view of the workspace
    };

    void connectSessions();
    void begin(Pending next);
    void closeComparison(bool nextIsOfTable);
    void abandon();
    void dropSecond();
    void leave();
    void takeDocument(const std::shared_ptr<const Document>& document, bool sameRun);
    void applyWorkspace();
    void takeFailure(const QString& path, const QString& sentence);
    void takeSecondFailure(const QString& path, const QString& sentence);
    void awaitPicture();

    OpenSessions& m_sessions;
    WorkspaceSession& m_workspace;
    IsSettled m_isSettled;
    Stage m_stage = Stage::Idle;
    Pending m_pending;
    Goto m_destination;
    bool m_wantsReport = false;
    QStringList m_files;
    QStringList m_swept; ///< files and folders of the table
    bool m_isOfTable = false; ///< the comparison that is open, or comes
    LatestTask m_aligning{LatestTask::Pace::Background}; ///< looks for one rank of two folders
};

} // namespace highwater::gui

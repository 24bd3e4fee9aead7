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

/// The latest request to open something, from the command until everything is on screen: the files of a run,
/// a second run to compare with, several runs for a table, or a workspace that names its files. A new request
/// replaces the previous one. The run on screen and its workspace stay until the first file of the new run is
/// loaded; a table and the notes of a new workspace are shown at once.
class OpenRequest : public QObject
{
    Q_OBJECT

public:
    /// Returns true if everything on screen is complete.
    using IsSettled = std::function<bool()>;

    /// The sessions must outlive the request, and nothing else may open files with them.
    OpenRequest(
        OpenSessions& sessions, WorkspaceSession& workspace, IsSettled isSettled, QObject* parent = nullptr);

    /// Opens the files of one run. Opening the current files again reloads them and keeps the workspace.
    void openFiles(const QStringList& paths);
    /// Compares two runs. `isOfTable`: both are rows of the table of runs, and closing the comparison returns
    /// to it.
    void compareFiles(const QString& before, const QString& after, bool isOfTable = false);
    /// Shows several runs as a table. A folder stands for the files in it.
    void sweepFiles(const QStringList& paths, const std::vector<CategoryRule>& rules);
    /// Opens the files of a workspace that WorkspaceSession has read; `file` is the part that the user wants.
    /// Fails if that has no files. `path` is empty for a copy left by a crash.
    void openWorkspace(const OpenedWorkspace& opened, const WorkspaceFile& file, const QString& path);
    /// Sets where to go in the next file that is shown.
    void setDestination(const Goto& destination) { m_destination = destination; }
    /// Requests the report once everything else is complete.
    void wantReport() { m_wantsReport = true; }

    /// Paths of the run on screen, as requested.
    const QStringList& files() const { return m_files; }
    /// True if the comparison is of two rows of the table.
    bool isOfTable() const { return m_isOfTable; }
    /// True while another run is being loaded that will replace the one on screen.
    bool isLoading() const { return m_stage == Stage::Loading; }

    /// Must be called when the comparison of a workspace is on screen.
    void takeComparison();
    /// Must be called when what is on screen may have become complete.
    void check();
    /// Reports that something requested cannot be opened.
    void fail(const QString& path, const QString& sentence);

signals:
    /// Something is being loaded.
    void started();
    /// Something was opened. `path` is its path as the user knows it, for the list of recent files.
    void opened(const QString& path);
    /// Asks the window to show a document. `sameRun`: it replaces another file of the same run.
    void documentReady(const std::shared_ptr<const highwater::gui::Document>& document, bool sameRun);
    void destinationReady(const highwater::gui::Goto& destination);
    /// Asks the window to show the table of runs; its rows are still being read.
    void sweepReady();
    /// The open workspace is being replaced by other files. Its notes are removed next.
    void workspaceLeft();
    /// Asks the window to apply the workspace's settings before its files are loaded.
    void workspaceBegun(const highwater::WorkspaceFile& file);
    /// Ask the window to restore the saved view, once the first file of the workspace is on screen, and then
    /// the saved comparison.
    void workspaceViewReady(const highwater::WorkspaceFile& file);
    void workspaceComparisonReady(const highwater::WorkspaceView& view);
    void reportWanted();
    void failed(const QString& path, const QString& sentence);
    /// Everything requested is on screen, or `error` explains why not.
    void complete(const QString& error);

private:
    enum class Stage
    {
        Idle,
        Loading, ///< nothing of the new request is on screen
        OnScreen ///< the first file is on screen, but not everything is complete
    };
    struct Pending
    {
        QStringList files;
        bool replaces = false; ///< closes the open workspace when the first file is shown
        bool hasSecond = false;
        std::optional<WorkspaceFile> workspace = {}; ///< restored once its first file is on screen
        std::optional<WorkspaceView> comparison = {}; ///< the workspace's comparison, restored after its view
        bool isComparisonReady = false; ///< the comparison was ready before the workspace's view was restored
    };

    void connectSessions();
    void begin(Pending next);
    void closeComparison(bool nextIsOfTable);
    void abandon();
    void dropSecond();
    void leaveWorkspace();
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
    QStringList m_sweepPaths; ///< files and folders of the table
    bool m_isOfTable = false; ///< the comparison is of two rows of the table
    LatestTask m_alignTask{LatestTask::Pace::Background}; ///< finds the same rank in both folders
};

} // namespace highwater::gui

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QMainWindow>
#include <QTimer>

#include "app/views/parts/picture_export.h"
#include "app/window/commands/actions.h"
#include "app/window/opening/open_request.h"
#include "app/window/pages/window_pages.h"
#include "app/workspace/document/recent_files.h"

namespace highwater::gui {

class ByteCommands;
class CompareCommands;
class FileCommands;
class MainToolBar;
class MessageBar;
class NoteCommands;
class NoteNavigation;
class ReportCommands;
class SideDock;
class RulesCommand;
class StatusText;
class WatchCommands;
class WorkspaceCommands;

/// The main window: menus, docks and bars around the pages. It opens files and shows what is requested.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// With `remember` false it neither reads nor writes settings.
    explicit MainWindow(bool remember, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens files and folders as one run, or a single workspace file. Asks first about unsaved work, except
    /// to read the open files again.
    void openFiles(const QStringList& paths);
    void openFile(const QString& path) { openFiles({path}); }
    /// Opens these files together with those of the open run.
    void addFiles(const QStringList& paths);
    /// Opens a workspace with all its content; `view`, if not empty, is opened instead of the saved one.
    void openWorkspace(const QString& path, const QString& view = {});
    /// Opens the configuration of the current or next run, for its budget.
    void openConfiguration(const QString& path);
    /// Compares two files. `isOfTable`: closing the comparison returns to the table of runs.
    void compareFiles(const QString& before, const QString& after, bool isOfTable = false);
    /// Compares three or more files in a table; a folder stands for the files in it.
    void sweepFiles(const QStringList& paths);
    /// Sets where to go in the file being opened.
    void setDestination(const Goto& destination) { m_request->setDestination(destination); }
    /// Opens the view with this name, now and in the file being opened; "timeline" collapses the panel,
    /// "report" opens the report once everything is on screen.
    void openView(const QString& name);
    void setTheme(ThemeChoice choice);
    /// Applies to files opened from now on.
    void setActivitiesShown(bool shown);

    WindowPages& pages() { return *m_pages; }
    /// Returns the page with the open run.
    DocumentPage& page() { return m_pages->document; }
    OpenSessions& sessions() { return m_sessions; }
    WorkspaceSession& workspace() { return *m_workspace; }
    const Actions& actions() const { return *m_actions; }
    ByteCommands& byteCommands() { return *m_byteCommands; }
    WatchCommands& watching() { return *m_watchCommands; }
    RulesCommand& rulesCommand() { return *m_rulesCommand; }
    NoteCommands& notes() { return *m_notes; }
    ReportCommands& report() { return *m_report; }
    /// Returns the picture for File > Copy picture: of the widget with the keyboard focus, else the main one
    /// of the page.
    PictureOffer shownPicture() const;
    /// Returns the error sentence on screen; empty if there is none.
    QString errorText() const;

signals:
    /// Everything requested is on screen, or `error` explains why not.
    void complete(const QString& error);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void buildCommands();
    void buildStatusBar();
    void connectCommands();
    void connectRequest();
    void connectPages();
    void takeFound(const QString& path);
    void takeArrived(const QStringList& paths, const QString& previous);
    void offer(const QStringList& paths, const QString& sentence);
    void connectMessages();
    void restore();
    void applyCache();
    void editPreferences();
    void followPage();
    void showLimits();
    void refreshTitle();
    void refreshStatus();
    void refreshCursor();

    bool m_remember;
    RecentFiles m_recent;
    OpenSessions m_sessions;
    std::unique_ptr<WindowPages> m_pages;
    std::unique_ptr<Actions> m_actions;
    std::unique_ptr<WorkspaceSession> m_workspace;
    OpenRequest* m_request = nullptr;
    FileCommands* m_fileCommands = nullptr;
    ByteCommands* m_byteCommands = nullptr;
    RulesCommand* m_rulesCommand = nullptr;
    NoteCommands* m_notes = nullptr;
    NoteNavigation* m_noteNavigation = nullptr;
    WorkspaceCommands* m_workspaceCommands = nullptr;
    CompareCommands* m_compareCommands = nullptr;
    WatchCommands* m_watchCommands = nullptr;
    ReportCommands* m_report = nullptr;
    MainToolBar* m_toolBar = nullptr;
    SideDock* m_sideDock = nullptr;
    MessageBar* m_error = nullptr;
    MessageBar* m_warning = nullptr;
    MessageBar* m_done = nullptr; ///< reports what was written
    MessageBar* m_question = nullptr;
    MessageBar* m_unsaved = nullptr; ///< offers the work left by a crash
    std::optional<QString> m_wantedView; ///< view for the file being opened
    std::vector<const Document*> m_limited; ///< recordings whose limits were shown last
    StatusText* m_status = nullptr;
    StatusText* m_cursor = nullptr;
    QTimer m_statusLater; ///< runs while the status text is outdated
};

} // namespace highwater::gui

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QMainWindow>
#include <QMessageBox>

#include "app/views/parts/picture_export.h"
#include "app/window/commands/actions.h"
#include "app/window/start/command_line.h"
#include "app/workspace/compare/compare_session.h"
#include "app/workspace/compare/sweep_session.h"
#include "app/workspace/document/document_loader.h"
#include "app/workspace/document/recent_files.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/saved/report_subject.h"
#include "app/workspace/saved/workspace_session.h"
#include "core/run/note.h"

class QDockWidget;
class QLabel;
class QSettings;
class QStackedWidget;

namespace highwater::gui {

class ByteCommands;
class ComparePage;
class RulesCommand;
class DocumentPage;
class MainToolBar;
class MessageBar;
class NoteCommands;
class LogCompareView;
class LogView;
class RanksView;
class RecordingPage;
class ReportView;
class StartPage;
class SweepView;
struct WorkspaceParts;

/// The window: opens files and shows one of them.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// With `remember` false it neither reads nor writes settings.
    explicit MainWindow(bool remember, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Files and folders: several files are the ranks of one run.
    void openFiles(const QStringList& paths);
    void openFile(const QString& path);
    /// A workspace with all that it holds; `view` is opened instead of the one that was open when it was
    /// saved.
    void openWorkspace(const QString& path, const QString& view = {});
    /// Of the run that is open or will be: for its budget.
    void openConfiguration(const QString& path);
    /// Compares two files.
    void compareFiles(const QString& before, const QString& after);
    /// Compares three or more files in a table; a folder means the files in it.
    void sweepFiles(const QStringList& paths);
    /// Where to go in the file that is being opened.
    void setDestination(const Goto& destination) { m_destination = destination; }
    /// Opens the view of this name; "timeline" gives it all the room.
    void openView(const QString& name);
    void setTheme(ThemeChoice choice);
    /// Of the files that are opened from now on.
    void setActivitiesShown(bool shown);

    WorkspaceSession& workspace() { return *m_workspace; }
    DocumentPage& page() { return *m_page; }
    DocumentLoader& loader() { return m_loader; }
    RunSession& session() { return m_session; }
    const Actions& actions() const { return *m_actions; }
    ByteCommands& byteCommands() { return *m_byteCommands; }
    RulesCommand& rulesCommand() { return *m_rulesCommand; }
    /// The user's notes, their panel and their commands.
    NoteCommands& notes() { return *m_notes; }
    bool showsDocument() const;
    /// On screen where a file holds no memory events.
    RecordingPage& recording() { return *m_recording; }
    /// On screen where two runs are compared.
    ComparePage& compare() { return *m_compare; }
    CompareSession& compareSession() { return m_compareSession; }
    bool isComparing() const;
    /// On screen where two logs are compared.
    LogCompareView& logCompare() { return *m_logCompare; }
    bool isComparingLogs() const;
    /// Visible while several runs are shown in a table.
    SweepView& sweepView() { return *m_sweepView; }
    SweepSession& sweep() { return m_sweep; }
    bool showsSweep() const;
    /// The report of what is open, and whether it is on screen.
    ReportView& report() { return *m_report; }
    bool showsReport() const;
    void showReport();
    void hideReport();
    /// What File > Copy picture copies.
    Picture shownPicture() const;
    LogView& logPage() { return *m_logPage; }
    LogView& log() { return *m_log; }
    /// The error sentence on screen; empty when there is none.
    QString errorText() const;
    QString warningText() const;

signals:
    /// What was asked for is on screen, complete; or `error` says why it is not.
    void complete(const QString& error);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void buildDetails();
    void buildToolBar();
    void buildStatusBar();
    void connectActions();
    void connectLoader();
    void restore();
    void applyCache();
    void chooseFile();
    void loadFiles(const QStringList& paths);
    void buildWorkspace();
    void connectWorkspaceChanges();
    WorkspaceParts workspaceParts();
    void takeWorkspace(const std::shared_ptr<const OpenedWorkspace>& opened, const QString& path);
    void showWorkspace(const OpenedWorkspace& opened, WorkspaceFile file, const QString& path);
    void applyPendingView(const Document& document);
    void leaveWorkspace();
    void saveWorkspace();
    void saveWorkspaceAs();
    void takeSaved(const QString& path);
    void takeSaveFailure(const QString& path, const QString& sentence);
    void unlessUnsaved(const std::function<void()>& next);
    void takeWorkspaceFailure();
    QMessageBox::StandardButton askAboutUnsaved();
    bool mayClose();
    void offerUnsavedWork();
    void setSubject(const QString& subject);
    void refreshTitle();
    void showDocument(const std::shared_ptr<const Document>& document, bool sameRun);
    void buildRun();
    void buildCompare();
    void chooseOther(CompareSession::Role role);
    void compareWith(const QString& path, CompareSession::Role role);
    void offerShownRun();
    void showLimits(const std::vector<const Document*>& documents);
    void showComparison(const RunChoice& before, const RunChoice& after);
    void showPageOfTwo(QWidget& page, const Document& before, const Document& after);
    bool showsLog() const;
    void showLogComparison(
        const std::shared_ptr<const Document>& before, const std::shared_ptr<const Document>& after);
    void hideComparison();
    void showDocumentAgain();
    void buildSweep();
    void chooseSeveral();
    void showSweep();
    void closeSweep();
    void compareRunsOfSweep(quint64 before, quint64 after);
    QString pathOfSweep(std::size_t row) const;
    void refreshToolBar();
    void askAboutDrop(const QStringList& paths, const QPoint& at);
    void putOnPage(const std::shared_ptr<const Document>& document, bool sameRun);
    void showPageOf(const Document& document);
    void showPageWithoutDevice(const Document& document);
    bool isPageSettled() const;
    void refreshLog();
    void showFailure(const QString& path, const QString& sentence);
    void goToDestination();
    void completeIfSettled();
    void askWhereToGo();
    void refreshFiles();
    void refreshRecentMenu();
    void refreshCommands();
    void refreshStatus();
    void refreshHistory();
    void showRemarks();
    void buildReport();
    QWidget* pageBelow() const;
    void showPage(QWidget& page);
    void refreshReport();
    ReportedRun reportedRunOf(const std::shared_ptr<const Document>& document,
        const std::shared_ptr<const DeviceAnalysis>& analysis) const;
    ReportSubject reportSubject() const;
    WorkspaceReport workspaceReport() const;
    void takeWorkspaceReport(const WorkspaceReport& report);
    void chooseConfiguration();
    void sayReportIsSaved(const QString& path);
    void buildNotes();
    void refreshNotes();
    void showNotesInViews();
    Note noteHere() const;
    void addNote(const Note& draft);
    void goToNote(int index);
    QString goTo(const Note& note);
    QString goToNotedLine(const Note& note);
    QString goToFileOf(const Note& note);
    void goToWantedNote();
    void focusView();
    void saveNotesLayout(QSettings& settings) const;
    void restoreNotesLayout(const QSettings& settings);

    bool m_remember;
    RecentFiles m_recent;
    DocumentLoader m_loader;
    RunSession m_session;
    CompareSession m_compareSession;
    SweepSession m_sweep;
    QStringList m_opened; ///< what was asked for last
    Goto m_destination;
    QString m_subject; ///< what the title names besides the workspace
    std::optional<WorkspaceFile> m_pendingWorkspace; ///< to be put on screen with its files
    std::optional<WorkspaceView> m_pendingComparison;
    std::optional<std::vector<CategoryRule>> m_rulesOutside; ///< to hold again after the workspace's own
    QString m_workspaceView; ///< to be opened instead of the workspace's own
    bool m_leavesWorkspace = false; ///< as soon as what was asked for is there
    std::function<void()> m_afterSave;
    QString m_wantedView; ///< asked for, and not there yet
    ThemeColors m_colors;
    bool m_awaitsPicture = false;
    bool m_offersLogLater = false; ///< of the run on screen a log comes first; the comparison waits
    QString m_sweptPath; ///< the first that was asked for
    bool m_returnsToSweep = false; ///< the comparison on screen is of two runs of the table
    bool m_wantsDetails = true; ///< whether the side panel is shown with a document
    StartPage* m_start = nullptr;
    DocumentPage* m_page = nullptr;
    RecordingPage* m_recording = nullptr;
    ComparePage* m_compare = nullptr;
    LogCompareView* m_logCompare = nullptr;
    SweepView* m_sweepView = nullptr;
    LogView* m_logPage = nullptr; ///< of a log that is open on its own
    LogView* m_log = nullptr; ///< of a log shown with the timeline
    ReportView* m_report = nullptr;
    QWidget* m_belowReport = nullptr; ///< the page that the report is of; null: none yet
    QStackedWidget* m_stack = nullptr;
    MessageBar* m_error = nullptr;
    MessageBar* m_warning = nullptr;
    MessageBar* m_done = nullptr; ///< what was written
    MessageBar* m_question = nullptr;
    QDockWidget* m_dock = nullptr;
    MainToolBar* m_toolBar = nullptr;
    RanksView* m_ranks = nullptr;
    ByteCommands* m_byteCommands = nullptr;
    RulesCommand* m_rulesCommand = nullptr;
    NoteCommands* m_notes = nullptr;
    NoteRun m_ownRun = NoteRun::After; ///< what the run that was open first is in the notes
    std::optional<Note> m_wantedNote; ///< to go to as soon as its file is on screen
    QLabel* m_status = nullptr;
    QLabel* m_cursor = nullptr;
    std::unique_ptr<Actions> m_actions;
    std::unique_ptr<WorkspaceSession> m_workspace;
};

} // namespace highwater::gui

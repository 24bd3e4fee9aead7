#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QMessageBox>
#include <QObject>
#include <QString>

#include "app/window/opening/workspace_state.h"
#include "app/workspace/saved/workspace_session.h"
#include "core/run/category_rules.h"

class QMainWindow;

namespace highwater::gui {

struct Actions;
class MessageBar;
class NoteCommands;
class OpenRequest;

/// Saves and opens workspaces: asks the user for decisions, and applies a workspace to the parts of the
/// window.
class WorkspaceCommands : public QObject
{
    Q_OBJECT

public:
    /// `window` owns the commands. `session`, `request`, `notes` and what `parts` refers to must outlive the
    /// commands. If `remember` is false, nobody is asked: unsaved work is discarded, and a workspace with
    /// missing files fails to open.
    WorkspaceCommands(Actions& actions, WorkspaceSession& session, OpenRequest& request,
        const WorkspaceParts& parts, NoteCommands& notes, bool remember, QMainWindow& window);

    /// Returns the current state without the notes.
    WorkspaceFile collected() const { return collectWorkspace(m_parts); }
    /// Opens a workspace as soon as unsaved work is settled (`settleUnsavedThen`). `view`, if not empty, is
    /// opened instead of the saved one.
    void open(const QString& path, const QString& view);
    /// Calls `next`: at once if no work is unsaved or the user discards it, else after saving; never if the
    /// user cancels or saving fails.
    void settleUnsavedThen(const std::function<void()>& next);
    /// Asks about unsaved work, which may be discarded. True if the window may close now; otherwise it stays
    /// open, or closes by itself once everything is saved.
    bool mayClose();
    /// Offers work left by a crash in the bar: on the start page the newest, on another page what belongs to
    /// a file on the page. Closes the bar if there is none, or while files are being opened.
    void offerUnsavedWork(MessageBar& bar);

signals:
    void saved(const QString& path);
    /// The workspace compares these two events of the run, which is on screen.
    void momentsWanted(qint64 before, qint64 after);
    /// A message to show for a while.
    void remarked(const QString& text);

private:
    void connectRequest();
    void connectChanges();
    void takeOpened(const std::shared_ptr<const OpenedWorkspace>& opened, const QString& path);
    void show(const OpenedWorkspace& opened, WorkspaceFile file, const QString& path);
    void begin(const WorkspaceFile& file);
    void restoreRules();
    void save();
    void saveAs();
    void offer(const Autosave::Orphan& orphan, const QStringList& files, MessageBar& bar);
    QMessageBox::StandardButton askAboutUnsaved();

    WorkspaceSession& m_session;
    OpenRequest& m_request;
    WorkspaceParts m_parts;
    NoteCommands& m_notes;
    bool m_remember;
    QMainWindow& m_window;
    QString m_requestedView; ///< view to open instead of the workspace's own
    std::optional<std::vector<CategoryRule>> m_previousRules; ///< to restore after the workspace's
    std::function<void()> m_afterSave;
};

} // namespace highwater::gui

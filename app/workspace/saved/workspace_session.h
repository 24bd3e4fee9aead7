#pragma once

#include <functional>
#include <memory>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/loading/files/file_hash.h"
#include "app/loading/files/workspace_store.h"
#include "app/workspace/saved/autosave.h"
#include "app/workspace/tasks/jobs.h"

namespace highwater::gui {

class NoteList;

/// The open workspace, or the one that would be saved from what is open: its path, whether it has unsaved
/// changes, saving, and the copy that survives a crash. Its content is collected from the window when needed.
/// Files are read, hashed and written off the GUI thread, in the requested order.
class WorkspaceSession : public QObject
{
    Q_OBJECT

public:
    /// Returns what is on screen, with `lastSeen` paths; sizes and hashes need not be filled in.
    using Collect = std::function<WorkspaceFile()>;

    /// The notes must outlive the session. Copies of unsaved work are written to `autosaveFolder`; if that is
    /// empty, none are.
    WorkspaceSession(
        NoteList& notes, Collect collect, const QString& autosaveFolder, QObject* parent = nullptr);
    ~WorkspaceSession() override;

    /// Path of the file; empty if it has not been saved yet.
    const QString& path() const { return m_path; }
    bool isOpen() const { return !m_path.isEmpty(); }
    /// True if there are unsaved notes; for an open workspace also other changes except to the view.
    bool isDirty() const;
    /// True while the workspace is being read and its files are being located.
    bool isReading() const { return m_stop != nullptr; }
    bool isSaving() const { return m_pendingSaves > 0; }

    /// Ends with `opened`, `failed` or `cancelled`; a newer request cancels an older one. `autosaved`: the
    /// file is a copy left by a crash.
    void open(const QString& path, bool autosaved = false);
    void cancel();
    /// Makes a workspace that `opened` delivered the current one, and replaces the notes with its own. The
    /// window then shows it and calls `settle`.
    void begin(const OpenedWorkspace& opened, const QString& path);
    /// Must be called once the screen matches the file. Later differences count as changes, and saving is
    /// possible.
    void settle();
    /// Closes the workspace: cancels reading, and removes the notes and the copy of unsaved work.
    void end();
    /// Forgets the path, because not all of the workspace could be shown: it is not overwritten unless the
    /// user chooses its file.
    void detach();

    /// Saves to this path, which then becomes that of the workspace. Ends with `saved` or `saveFailed`; fails
    /// between `begin` and `settle`. `isDirty` is false at once, and true again if saving fails.
    void save(const QString& path);
    /// Must be called when something other than notes and view may have changed.
    void noteChange();

    const WorkspaceReport& report() const { return m_report; }

    Autosave& autosave() { return m_autosave; }
    /// Sets how long after a change the copy is written.
    void setAutosavePace(int milliseconds) { m_autosaveTimer.setInterval(milliseconds); }
    /// Returns when every requested file has been written.
    void waitForSaves() { m_jobs.wait(); }

signals:
    /// `path` is that of the workspace itself, even if a copy left by a crash was read (then it may be
    /// empty).
    void opened(const std::shared_ptr<const highwater::OpenedWorkspace>& workspace, const QString& path);
    void saved(const QString& path);
    /// `sentence` says what is wrong and where.
    void failed(const QString& path, const QString& sentence);
    void saveFailed(const QString& path, const QString& sentence);
    void cancelled();
    /// Number of bytes hashed so far.
    void progressed(quint64 done);
    /// `path`, `isDirty` or `isReading` may have changed.
    void changed();

private:
    WorkspaceFile collectFile() const;
    std::string contentNow() const;
    void followNotes();
    void autosaveLater();
    void writeAutosave();
    void dropAutosave();
    void takeOpened(const QString& path, bool autosaved, Result<OpenedWorkspace> opened);
    void takeSaved(const QString& path, const std::string& content, const Result<void>& result);
    template <typename Work>
    void runInBackground(Work work);

    NoteList& m_notes;
    Collect m_collect;
    QString m_path;
    WorkspaceReport m_report;
    std::string m_rest; ///< WorkspaceFile::rest
    std::string m_savedContent; ///< saved content except notes and view; if empty, changes do not count
    Notes m_loadedNotes; ///< set until everything is on screen
    bool m_isSettled = true; ///< everything of the workspace is on screen
    bool m_isChanged = false; ///< changed apart from the notes
    int m_pendingSaves = 0;
    std::shared_ptr<StopToken> m_stop; ///< stops the reading in progress; null if there is none
    FileHashes m_hashes;
    Autosave m_autosave; ///< used by jobs, or by the GUI thread while no job runs
    bool m_hasAutosave = false;
    QString m_recoveredCopy; ///< the copy that was read last; empty if it was not a copy
    QTimer m_autosaveTimer;
    Jobs m_jobs; ///< one thread
};

} // namespace highwater::gui

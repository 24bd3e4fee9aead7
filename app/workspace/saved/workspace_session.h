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

/// The workspace that is open, or that what is open would become: its path, whether it holds anything that is
/// not saved, saving, and the copy that outlives a crash. What belongs into it is collected from the window
/// when it is needed. Files are read, hashed and written off the GUI thread, in the order they were asked
/// for.
class WorkspaceSession : public QObject
{
    Q_OBJECT

public:
    /// What is on screen, with `lastSeen` paths; sizes and hashes need not be filled in.
    using Collect = std::function<WorkspaceFile()>;

    /// The notes must outlive it. Copies of unsaved work go to `autosaveFolder`; empty: none are kept.
    WorkspaceSession(
        NoteList& notes, Collect collect, const QString& autosaveFolder, QObject* parent = nullptr);
    ~WorkspaceSession() override;

    /// Of the file; empty: it has not been saved yet.
    const QString& path() const { return m_path; }
    bool isOpen() const { return !m_path.isEmpty(); }
    /// Notes that are not saved; of an open workspace also anything else but the view.
    bool isDirty() const;
    /// Being read, and its files looked for.
    bool isReading() const { return m_stop != nullptr; }
    bool isSaving() const { return m_saving > 0; }

    /// Ends with `opened`, `failed` or `cancelled`; a newer request stops an older one. `autosaved`: a copy
    /// that was left by a crash.
    void open(const QString& path, bool autosaved = false);
    void cancel();
    /// What `opened` gave is being put on screen: it is the workspace from now on.
    void begin(const OpenedWorkspace& opened, const QString& path);
    /// What is on screen now is what the file holds: changes count from here, and it can be saved.
    void settle();
    /// The window turns to something else: the notes go, and the copy of what is not saved.
    void end();
    /// Not all of it could be shown: what is on screen is not saved over it unless the user says so.
    void detach();

    /// Ends with `saved` or `saveFailed`. The file becomes the workspace.
    void save(const QString& path);
    /// Something may have changed that is neither a note nor the view.
    void noteChange();

    const WorkspaceReport& report() const { return m_report; }

    Autosave& autosave() { return m_autosave; }
    /// How long after a change the copy is written.
    void setAutosavePace(int milliseconds) { m_pace.setInterval(milliseconds); }
    /// Returns when everything that was asked for has been written.
    void waitForSaves() { m_jobs.wait(); }

signals:
    /// `path` is the workspace's own, also of a copy that was left by a crash (then it may be empty).
    void opened(const std::shared_ptr<const highwater::OpenedWorkspace>& workspace, const QString& path);
    void saved(const QString& path);
    /// `sentence` says what is wrong and where.
    void failed(const QString& path, const QString& sentence);
    void saveFailed(const QString& path, const QString& sentence);
    void cancelled();
    /// Bytes of files that are hashed.
    void progressed(quint64 done);
    /// `path`, `isDirty` or `isReading` may have changed.
    void changed();

private:
    WorkspaceFile collected() const;
    std::string contentNow() const;
    void followNotes();
    void autosaveLater();
    void writeAutosave();
    void dropAutosave();
    void takeOpened(const QString& path, bool autosaved, Result<OpenedWorkspace> opened);
    void takeSaved(const QString& path, const std::string& content, const Result<void>& done);
    template <typename Work>
    void inBackground(Work work);

    NoteList& m_notes;
    Collect m_collect;
    QString m_path;
    WorkspaceReport m_report;
    std::string m_rest; ///< WorkspaceFile::rest
    std::string m_content; ///< what is saved but notes and view; empty: changes do not count
    Notes m_loadedNotes; ///< until everything is on screen
    bool m_isSettled = true; ///< what is on screen is all of it
    bool m_isChanged = false; ///< besides the notes
    int m_saving = 0;
    std::shared_ptr<StopToken> m_stop; ///< of what is being read; null: nothing is
    FileHashes m_hashes;
    Autosave m_autosave; ///< for the pool's thread, or while nothing runs there
    bool m_hasAutosave = false;
    QString m_recovered; ///< the copy that was read last; empty: it was none
    QTimer m_pace;
    Jobs m_jobs; ///< in one thread
};

} // namespace highwater::gui

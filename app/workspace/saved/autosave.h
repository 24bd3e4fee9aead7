#pragma once

#include <memory>

#include <QDateTime>
#include <QList>
#include <QString>

#include "core/base/result.h"
#include "core/run/workspace_file.h"

class QLockFile;

namespace highwater::gui {

/// The copy of one window's unsaved work that survives a crash: a workspace file in a private folder, with a
/// lock file that names its owner. A copy whose owner no longer runs is an orphan and can be taken over. Not
/// thread-safe.
class Autosave
{
public:
    /// Keeps no copies if the folder is empty.
    explicit Autosave(QString folder);
    ~Autosave();

    /// Returns the user's state folder by the XDG rules: $XDG_STATE_HOME/highwater, else
    /// .local/state/highwater in the home folder; empty if neither is an absolute path.
    static QString defaultFolder();

    struct Orphan
    {
        QString path;
        QDateTime written;
    };
    /// Returns the copies that belong to no running window, newest first.
    QList<Orphan> orphans() const;
    /// Deletes this window's copy and makes the orphan its copy. Returns false if the orphan is gone or
    /// another window has taken it.
    bool takeOver(const QString& orphan);
    /// Deletes the orphan, unless a window has taken it.
    static void discard(const QString& orphan);

    /// Writes the copy; does nothing if no copies are kept. Creates the folder (readable only by its owner:
    /// notes can contain anything) and the lock if missing. Fails as `saveWorkspace` does, and with
    /// CannotRead if no lock can be made.
    Result<void> write(const WorkspaceFile& file);
    /// Deletes the copy, because no unsaved work is left.
    void remove();

private:
    bool lock(const QString& path);

    QString m_folder;
    QString m_path; ///< empty until the first copy is written
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace highwater::gui

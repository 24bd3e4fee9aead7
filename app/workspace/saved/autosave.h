#pragma once

#include <memory>

#include <QDateTime>
#include <QList>
#include <QString>

#include "core/base/result.h"
#include "core/run/workspace_file.h"

class QLockFile;

namespace highwater::gui {

/// The copy of one window's unsaved work that survives a crash: a workspace file in its own folder, with a
/// lock file that names its owner. A copy whose owner is gone is an orphan and can be taken over. Not
/// thread-safe.
class Autosave
{
public:
    /// Nothing is kept where the folder is empty.
    explicit Autosave(QString folder);
    ~Autosave();

    /// The user's state folder by the XDG rules: $XDG_STATE_HOME/highwater, else .local/state/highwater at
    /// home; empty without either.
    static QString defaultFolder();

    struct Orphan
    {
        QString path;
        QDateTime written;
    };
    /// Copies that belong to no running window, the newest first.
    QList<Orphan> orphans() const;
    /// From now on it is this window's. False: somebody else was faster.
    bool takeOver(const QString& orphan);
    static void discard(const QString& orphan);

    /// Makes the folder (for the owner's eyes only: notes can hold anything) and the lock where they are
    /// missing. Fails as `saveWorkspace` does.
    Result<void> write(const WorkspaceFile& file);
    /// Nothing unsaved is left.
    void remove();

private:
    bool lock(const QString& path);

    QString m_folder;
    QString m_path; ///< empty: none yet
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace highwater::gui

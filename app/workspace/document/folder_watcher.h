#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/loading/folder_watch.h"
#include "app/workspace/tasks/jobs.h"

namespace highwater::gui {

/// Checks a folder every second, unless `setTimes` says otherwise, and reports each recording that a run has
/// written there once it is complete. It lists the folder instead of using file system notifications, which
/// network file systems do not send.
class FolderWatcher : public QObject
{
    Q_OBJECT

public:
    explicit FolderWatcher(QObject* parent = nullptr);

    /// Starts watching this folder instead of the previous one. Files already present do not arrive.
    void start(const QString& folder);
    void stop();
    /// Empty if no folder is watched.
    const QString& folder() const { return m_folder; }
    /// True once the files present at the start are known.
    bool hasBegun() const { return m_hasBegun; }
    /// Sets the time between two checks, and for the next `start` how long a file must not have changed.
    void setTimes(std::chrono::milliseconds interval, std::chrono::milliseconds quietTime);

signals:
    /// The files present at the start are known. `newest` is the last complete recording among them; empty if
    /// there is none.
    void began(const QString& newest);
    /// Recordings were found complete in one check, for example the ranks of one run.
    void arrived(const QStringList& paths);
    /// The file has not been written to for a while, but is not a complete recording; it is checked again
    /// when it changes.
    void incomplete(const QString& path);
    /// The folder cannot be read, and watching has stopped.
    void failed(const QString& folder, const QString& sentence);

private:
    struct CheckResult
    {
        QString newest; ///< only of the first check
        QStringList complete;
        QStringList incomplete;
        QString error;
    };

    void startCheck();
    void takeCheck(const CheckResult& result);
    static CheckResult checkFolder(const std::string& folder, std::optional<FolderWatch>& watch,
        Nanoseconds quietTime, const StopToken& stop);

    QTimer m_timer;
    QString m_folder;
    Nanoseconds m_quietTime = FolderWatch::kQuiet;
    std::shared_ptr<std::optional<FolderWatch>> m_watch; ///< used only by the single running job
    bool m_isChecking = false;
    bool m_hasBegun = false;
    Jobs m_jobs{1};
};

} // namespace highwater::gui

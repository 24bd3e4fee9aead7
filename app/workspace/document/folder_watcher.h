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

/// Looks at a folder every second, and tells of each recording that a run has left there once it is complete.
/// It lists the folder instead of waiting for the system's notice, which network file systems do not give.
class FolderWatcher : public QObject
{
    Q_OBJECT

public:
    explicit FolderWatcher(QObject* parent = nullptr);

    /// What is in the folder already is not told of. In place of the folder that was watched before.
    void start(const QString& folder);
    void stop();
    /// Empty: none is watched.
    const QString& folder() const { return m_folder; }
    /// Whether it knows what was there at the start.
    bool hasBegun() const { return m_hasBegun; }
    /// Between two looks, and for how long a file must not have changed.
    void setTimes(std::chrono::milliseconds interval, std::chrono::milliseconds quiet);

signals:
    /// Those that were complete at one look: the ranks of one run, or one file.
    void arrived(const QStringList& paths);
    /// It has not been written to for a while and yet is no complete recording; it is looked at again when it
    /// changes.
    void incomplete(const QString& path);
    /// The folder cannot be read any more and is not watched any longer.
    void failed(const QString& folder, const QString& sentence);

private:
    struct Look
    {
        QStringList complete;
        QStringList incomplete;
        QString error;
    };

    void look();
    void take(const Look& look);
    static Look lookInto(const std::string& folder, std::optional<FolderWatch>& watch, Nanoseconds quiet,
        const StopToken& stop);

    QTimer m_timer;
    QString m_folder;
    Nanoseconds m_quiet = FolderWatch::kQuiet;
    std::shared_ptr<std::optional<FolderWatch>> m_watch; ///< touched by the job that runs alone
    bool m_isLooking = false;
    bool m_hasBegun = false;
    Jobs m_jobs{1};
};

} // namespace highwater::gui

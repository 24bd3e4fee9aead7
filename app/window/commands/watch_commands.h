#pragma once

#include "app/workspace/document/folder_watcher.h"

class QLabel;
class QMainWindow;

namespace highwater::gui {

struct Actions;

/// Watching a folder: the command that starts and stops it, and its text in the status bar.
class WatchCommands : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive the commands.
    WatchCommands(Actions& actions, QMainWindow& window);

    void watch(const QString& folder);
    /// Makes the folder of this file the one in which the dialog for the watched folder starts.
    void setDialogFolderFrom(const QString& file);
    FolderWatcher& watcher() { return m_watcher; }

signals:
    /// The folder held recordings when the watch began; `path` is the newest.
    void found(const QString& path);
    /// `previous` is the recording that was the latest of the folder until now; empty if there was none, or
    /// if one of `paths` overwrote it.
    void arrived(const QStringList& paths, const QString& previous);
    void failed(const QString& folder, const QString& sentence);

private:
    void takeArrived(const QStringList& paths);
    void chooseFolder();
    void showState();

    Actions& m_actions;
    QMainWindow& m_window;
    FolderWatcher m_watcher;
    QLabel* m_stateLabel;
    QString m_latest; ///< path of the folder's latest recording
    QString m_dialogFolder; ///< the dialog starts here
};

} // namespace highwater::gui

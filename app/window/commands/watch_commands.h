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
    /// The dialog for the folder starts in the folder of this file.
    void startNextTo(const QString& file);
    FolderWatcher& watcher() { return m_watcher; }

signals:
    /// The folder held recordings when the watch began; `path` is the newest.
    void found(const QString& path);
    /// `previous` is the latest run of the folder before; empty if there was none, or if it was overwritten.
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
    QString m_latest; ///< the last run of the folder
    QString m_startFolder; ///< of the dialog
};

} // namespace highwater::gui

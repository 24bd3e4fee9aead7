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
    FolderWatcher& watcher() { return m_watcher; }

signals:
    void arrived(const QStringList& paths);
    void failed(const QString& folder, const QString& sentence);

private:
    void chooseFolder();
    void showState();

    Actions& m_actions;
    QMainWindow& m_window;
    FolderWatcher m_watcher;
    QLabel* m_stateLabel;
};

} // namespace highwater::gui

#pragma once

#include <QObject>
#include <QStringList>

namespace highwater::gui {

struct Actions;
class OpenRequest;
class RecentFiles;
class RunState;

/// The commands that ask which files to open, and the list of files opened last.
class FileCommands : public QObject
{
    Q_OBJECT

public:
    /// All of these must outlive the commands.
    struct Parts
    {
        Actions& actions;
        RecentFiles& recent;
        OpenRequest& request;
        RunState& run; ///< the run on screen
    };

    /// With `remember` false, opened files are not listed. Dialogs belong to `window`.
    FileCommands(const Parts& parts, bool remember, QWidget* window);

    void chooseFiles();
    void chooseFolder();
    void chooseConfiguration();

signals:
    void openRequested(const QStringList& paths);
    /// Asks to open these files together with the open ones.
    void addRequested(const QStringList& paths);
    void configurationChosen(const QString& path);

private:
    void chooseFurtherFiles();
    void noteOutcome();
    void fillRecentMenu();
    QString folderOfRun() const;

    Actions& m_actions;
    RecentFiles& m_recent;
    OpenRequest& m_request;
    RunState& m_run;
    QWidget* m_window;
    QString m_openedPath; ///< as named in the list of recent files
};

} // namespace highwater::gui

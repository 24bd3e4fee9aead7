#pragma once

#include <QObject>
#include <QStringList>

namespace highwater::gui {

struct Actions;
class OpenRequest;
class RecentFiles;
class RunState;

/// The commands that ask which files to open, and the list of those that were opened last.
class FileCommands : public QObject
{
    Q_OBJECT

public:
    /// All of it must outlive the commands.
    struct Parts
    {
        Actions& actions;
        RecentFiles& recent;
        OpenRequest& request;
        RunState& run; ///< of what is on screen
    };

    /// With `remember` false what is opened is not listed. Dialogs belong to `window`.
    FileCommands(const Parts& parts, bool remember, QWidget* window);

    void chooseFiles();
    void chooseFolder();
    void chooseConfiguration();

signals:
    void openRequested(const QStringList& paths);
    /// Together with those that are open.
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
    QString m_opened; ///< as the list of recent files names it
};

} // namespace highwater::gui

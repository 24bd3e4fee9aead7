#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>

#include "app/workspace/compare/compare_session.h"

class QPoint;
class QWidget;

namespace highwater::gui {

struct Actions;
class OpenRequest;
struct OpenSessions;
struct WindowPages;

/// Comparisons of two runs and tables of several: their commands, and showing their pages.
class CompareCommands : public QObject
{
    Q_OBJECT

public:
    /// All of them must outlive the commands. Dialogs belong to `window`.
    CompareCommands(
        Actions& actions, WindowPages& pages, OpenSessions& sessions, OpenRequest& request, QWidget* window);

    /// Compares a file or folder, which gets this role, with the run on screen.
    void compareWith(const QString& path, CompareSession::Role role);
    /// Compares the run on screen after one event with itself after another. Ignored if it has no such
    /// events.
    void compareMoments(qint64 before, qint64 after);
    /// Makes `previous` the run to compare with, instead of the one on screen before, once `paths` are
    /// opened.
    void setPrevious(const QStringList& paths, const QString& previous);
    /// Makes a new recording the later run to compare with, until another run is opened.
    void offer(const QString& path);
    /// True if one more file can be compared with what is on screen.
    bool takesAnother() const;
    /// Asks whether a file that was dropped at this position of the screen is to be added, compared or
    /// opened.
    void askAbout(const QString& path, const QPoint& position);

signals:
    /// Asks to open these files together with the open ones.
    void addRequested(const QStringList& paths);
    void openRequested(const QStringList& paths);
    /// Asks to compare two runs of the table.
    void compareRequested(const QString& before, const QString& after);
    void sweepRequested(const QStringList& paths);

private:
    void connectCommands();
    void connectComparison();
    void connectTable();
    void enableCommands();
    void noteOpened(const QString& path);
    void compareWithLast();
    void chooseOther(CompareSession::Role role);
    void chooseSeveral();
    void compareSteps(quint64 first, quint64 second);
    void offerShownRun();
    void showRuns(const RunChoice& before, const RunChoice& after);
    void closeRuns();
    void showTable();
    void closeTable();
    QString folder() const;
    QString pathOf(quint64 row) const;

    Actions& m_actions;
    WindowPages& m_pages;
    OpenSessions& m_sessions;
    OpenRequest& m_request;
    QWidget* m_window;
    QString m_openedPath; ///< the run on screen, as the user opened it
    QString m_previousPath; ///< the run opened before it; empty if there was none
    QString m_offeredPath; ///< a new recording of the watched folder that is not open; empty if none
    QHash<QString, QString> m_previousOf; ///< the runs before those that arrived in a watched folder
};

} // namespace highwater::gui

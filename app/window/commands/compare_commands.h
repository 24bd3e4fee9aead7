#pragma once

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

/// Comparisons of two runs and tables of several: the commands that begin them, and the pages that show them.
class CompareCommands : public QObject
{
    Q_OBJECT

public:
    /// All of them must outlive it. Dialogs belong to `window`.
    CompareCommands(
        Actions& actions, WindowPages& pages, OpenSessions& sessions, OpenRequest& request, QWidget* window);

    /// With the run on screen.
    void compareWith(const QString& path, CompareSession::Role role);
    /// Whether one more file can be compared with what is on screen.
    bool takesAnother() const;
    /// A file was dropped there: to compare with, or to open.
    void askAbout(const QString& path, const QPoint& at);

signals:
    /// Together with those that are open.
    void addRequested(const QStringList& paths);
    void openRequested(const QStringList& paths);
    /// Two of the table.
    void compareRequested(const QString& before, const QString& after);
    void sweepRequested(const QStringList& paths);

private:
    void connectCommands();
    void connectTwo();
    void connectTable();
    void follow();
    void noteOpened(const QString& path);
    void compareWithLast();
    void chooseOther(CompareSession::Role role);
    void chooseSeveral();
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
    QString m_opened; ///< the run on screen, as the user knows it
    QString m_openedBefore; ///< the one before it; empty: there is none
};

} // namespace highwater::gui

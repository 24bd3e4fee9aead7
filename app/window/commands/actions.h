#pragma once

#include <QKeySequence>
#include <QObject>

#include "app/views/pages/page.h"
#include "app/window/theme/theme.h"

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace highwater::gui {

/// A command of the window, told in the status bar too.
QAction* makeCommand(QWidget& window, const QString& text, const QString& tip, const QKeySequence& key = {});

/// Every command of the window with its key, and the menus that list them.
struct Actions
{
    /// Makes them as children of the window and fills its menu bar. `page` has the keys that must not be
    /// taken from other widgets.
    Actions(QMainWindow& window, QWidget& page);

    QAction* open;
    QAction* openFolder;
    QAction* addFiles; ///< to the run that is open
    QAction* watchFolder = nullptr; ///< checkable: recordings that arrive there are opened
    QAction* palette; ///< of all commands
    QAction* preferences = nullptr;
    QAction* quit;
    QAction* saveWorkspace = nullptr;
    QAction* saveWorkspaceAs = nullptr;
    QAction* fit;
    QAction* fitHeight;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* panLeft;
    QAction* panRight;
    QAction* eventAxis;
    QAction* timeAxis;
    QAction* stepAxis;
    QAction* peak;
    QAction* previousStep;
    QAction* nextStep;
    QAction* nextOutOfMemory;
    QAction* back;
    QAction* forward;
    QAction* previousRank;
    QAction* nextRank;
    QAction* goTo;
    QAction* find;
    QAction* nextMatch;
    QAction* previousMatch;
    QAction* release;
    QAction* compareLast = nullptr; ///< with the run that was open before this one
    QAction* compareBefore = nullptr;
    QAction* compareAfter = nullptr;
    QAction* compareSeveral = nullptr;
    QAction* showSeveral = nullptr; ///< back to them
    QAction* swapRuns = nullptr;
    QAction* closeComparison = nullptr;
    QAction* report = nullptr;
    QAction* copyPicture = nullptr;
    QAction* savePicture = nullptr;
    QAction* manual = nullptr;
    QAction* keys;
    QAction* about;
    QAction* gpuActivity; ///< checkable: kernels, copies and calls above the timeline
    QAction* keepLarge; ///< checkable: large files are kept in the compact form
    QAction* forgetLarge;
    QAction* details; ///< checkable: they are shown whether anything is pinned or not
    QActionGroup* themes; ///< each action's data is the name of its theme
    QMenu* recent;
    QMenu* view;
    QMenu* notes = nullptr; ///< whose commands are NoteCommands

    void selectTheme(ThemeChoice choice);
    /// Those that the page on screen does not take part in are disabled or hidden.
    void follow(const PageOffers& offers);

private:
    void fillMenus(QMainWindow& window);
    void addReport(QMainWindow& window, QMenu& file);
    void addWorkspaceCommands(QMainWindow& window, QMenu& file);
    void addCompareMenu(QMainWindow& window);
};

} // namespace highwater::gui

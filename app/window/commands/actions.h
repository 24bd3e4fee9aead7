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

/// Makes a command of the window; its tip is shown in the status bar too.
QAction* makeCommand(QWidget& window, const QString& text, const QString& tip, const QKeySequence& key = {});

/// The commands of the window that no other class makes, and the menus. NoteCommands, ByteCommands,
/// RulesCommand and ViewCommands add their own.
struct Actions
{
    /// Makes the commands as children of the window and fills its menu bar. `page` gets the shortcuts that
    /// must not be taken from other widgets.
    Actions(QMainWindow& window, QWidget& page);

    QAction* open;
    QAction* openFolder;
    QAction* addFiles; ///< to the open run
    QAction* watchFolder = nullptr; ///< checkable: opens recordings that arrive in a folder
    QAction* palette; ///< finds commands, views and places by name
    QAction* preferences = nullptr;
    QAction* quit;
    QAction* saveWorkspace = nullptr;
    QAction* saveWorkspaceAs = nullptr;
    QAction* fit;
    QAction* fitSelection;
    QAction* fitHeight;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* panLeft;
    QAction* panRight;
    QAction* eventAxis;
    QAction* timeAxis;
    QAction* stepAxis;
    QAction* peak;
    QAction* largestAtPeak;
    QAction* largest;
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
    QAction* showSeveral = nullptr; ///< returns to the table of runs
    QAction* swapRuns = nullptr;
    QAction* closeComparison = nullptr;
    QAction* report = nullptr;
    QAction* copyPicture = nullptr;
    QAction* savePicture = nullptr;
    QAction* manual = nullptr;
    QAction* keys;
    QAction* about;
    QAction* gpuActivity; ///< checkable: kernels, copies and calls above the timeline
    QAction* keepLarge; ///< checkable: keeps large files in the compact form
    QAction* forgetLarge;
    QAction* details; ///< checkable: the details have their room next to the timeline
    QActionGroup* themes; ///< the data of each action is the name of its theme
    QMenu* recent;
    QMenu* view;
    QMenu* notes = nullptr; ///< its commands are in NoteCommands

    void selectTheme(ThemeChoice choice);
    /// Disables or hides the commands that the page on screen does not support.
    void follow(const PageOffers& offers);

private:
    void fillMenus(QMainWindow& window);
    void addReport(QMainWindow& window, QMenu& file);
    void addWorkspaceCommands(QMainWindow& window, QMenu& file);
    void addCompareMenu(QMainWindow& window);
};

} // namespace highwater::gui

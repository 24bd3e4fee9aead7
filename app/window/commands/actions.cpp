#include "app/window/commands/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include "app/views/parts/line_icon.h"

namespace highwater::gui {

namespace {

QString tr(const char* text)
{
    return QObject::tr(text);
}

/// Makes a command of the parent; its tool tip names the first key.
QAction* item(QWidget& parent, const QString& text, const QList<QKeySequence>& keys, const QString& tip)
{
    auto* action = new QAction(text, &parent);
    action->setShortcuts(keys);
    const QString key = keys.isEmpty()
        ? QString()
        : QStringLiteral(" (%1)").arg(keys.first().toString(QKeySequence::NativeText));
    action->setToolTip(tip + key);
    parent.addAction(action);
    return action;
}

QActionGroup* makeExclusive(QWidget& parent, std::initializer_list<QAction*> actions)
{
    auto* group = new QActionGroup(&parent);
    for (QAction* action : actions) {
        action->setCheckable(true);
        group->addAction(action);
    }
    return group;
}

QAction* makeTheme(QMainWindow& window, const QString& text, ThemeChoice choice)
{
    QAction* action = item(window, text, {}, text);
    action->setData(themeName(choice));
    return action;
}

QActionGroup* makeThemes(QMainWindow& window)
{
    return makeExclusive(window,
        {makeTheme(window, tr("Match &system"), ThemeChoice::System),
            makeTheme(window, tr("&Light"), ThemeChoice::Light),
            makeTheme(window, tr("&Dark"), ThemeChoice::Dark),
            makeTheme(window, tr("High &contrast"), ThemeChoice::Contrast)});
}

QAction* makeActivity(QMainWindow& window)
{
    return item(window, tr("&GPU activity"), {},
        tr("Show kernels, copies and driver calls above the timeline; reloads the file"));
}

} // namespace

QAction* makeCommand(QWidget& window, const QString& text, const QString& tip, const QKeySequence& key)
{
    auto* action = new QAction(text, &window);
    action->setShortcut(key);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    window.addAction(action);
    return action;
}

Actions::Actions(QMainWindow& window, QWidget& page)
    : open(item(window, tr("&Open…"), {QKeySequence::Open}, tr("Open the files of a run")))
    , openFolder(item(
          window, tr("Open &folder…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O}, tr("Open all files of a run")))
    , addFiles(item(window, tr("A&dd to this run…"), {}, tr("Add files of the same run")))
    , palette(item(window, tr("&Find anything…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
          tr("Find a command, view, step, call site, finding, file or event by name")))
    , quit(item(window, tr("&Quit"), {Qt::CTRL | Qt::Key_Q}, tr("Quit")))
    , fit(item(window, tr("&Fit"), {Qt::Key_0}, tr("Show the whole trace")))
    , fitSelection(item(window, tr("Fit selectio&n"), {Qt::Key_F},
          tr("Show the pinned allocation, else the range or step")))
    , fitHeight(item(window, tr("Fit &height"), {Qt::Key_H}, tr("Fit the y axis to the view")))
    , zoomIn(item(window, tr("Zoom &in"), {Qt::Key_Plus, Qt::Key_Equal, Qt::Key_W},
          tr("Show half as much, at the mouse")))
    , zoomOut(
          item(window, tr("Zoom &out"), {Qt::Key_Minus, Qt::Key_S}, tr("Show twice as much, at the mouse")))
    , panLeft(item(page, tr("Move &left"), {Qt::Key_Left, Qt::Key_A}, tr("Move the view to the left")))
    , panRight(item(page, tr("Move &right"), {Qt::Key_Right, Qt::Key_D}, tr("Move the view to the right")))
    , eventAxis(item(window, tr("By &event"), {}, tr("Axis: allocator events, equally spaced")))
    , timeAxis(item(window, tr("By &time"), {}, tr("Axis: wall time since the first event")))
    , stepAxis(item(window, tr("By &step"), {}, tr("Axis: steps, equally wide")))
    , peak(item(window, tr("&Peak"), {Qt::Key_P}, tr("Set the moment that all views show to the peak")))
    , largestAtPeak(item(window, tr("Largest &allocation at the peak"), {},
          tr("Set the moment to the peak and pin the largest allocation in use there")))
    , largest(item(window, tr("&Largest allocation"), {}, tr("Pin the largest allocation of the run")))
    , previousStep(item(window, tr("Previous s&tep"), {Qt::Key_BracketLeft},
          tr("Zoom to the step before the one at the cursor")))
    , nextStep(item(window, tr("Next st&ep"), {Qt::Key_BracketRight},
          tr("Zoom to the step after the one at the cursor")))
    , nextOutOfMemory(item(window, tr("Next out-of-&memory"), {Qt::Key_O},
          tr("Set the moment that all views show to the next out-of-memory event")))
    , back(item(window, tr("Previous &view"), {Qt::ALT | Qt::Key_Left}, tr("Go back to the previous view")))
    , forward(item(window, tr("Ne&xt view"), {Qt::ALT | Qt::Key_Right}, tr("Go forward to the next view")))
    , previousRank(
          item(window, tr("Previo&us rank"), {Qt::CTRL | Qt::Key_PageUp}, tr("Show the previous rank")))
    , nextRank(item(window, tr("Next ran&k"), {Qt::CTRL | Qt::Key_PageDown}, tr("Show the next rank")))
    , goTo(item(window, tr("&Go to…"), {Qt::CTRL | Qt::Key_G}, tr("Go to an event, step, time or address")))
    , find(item(
          window, tr("&Search"), {Qt::Key_Slash, QKeySequence::Find}, tr("Search stacks, sizes and notes")))
    , nextMatch(item(window, tr("&Next match"), {Qt::Key_F3}, tr("Go to the next match of the search")))
    , previousMatch(item(window, tr("Pre&vious match"), {Qt::SHIFT | Qt::Key_F3},
          tr("Go to the previous match of the search")))
    , release(item(window, tr("&Deselect"), {Qt::Key_Escape},
          tr("End what is selected, one thing at a time, then the search")))
    , keys(item(window, tr("&Keys and mouse"), {Qt::SHIFT | Qt::Key_F1}, tr("Keyboard and mouse shortcuts")))
    , about(item(window, tr("&About Highwater"), {}, tr("Version and licence")))
    , gpuActivity(makeActivity(window))
    , keepLarge(item(window, tr("Cache &large files"), {},
          tr("Keep files of 32 MiB and more in your cache folder (at most 2 GiB)")))
    , forgetLarge(
          item(window, tr("Clear cac&he"), {}, tr("Delete the cached copies; the original files stay")))
    , details(item(window, tr("&Details"), {Qt::Key_I}, tr("Show the details next to the timeline")))
    , themes(makeThemes(window))
    , recent(nullptr)
    , view(nullptr)
{
    makeExclusive(window, {eventAxis, timeAxis, stepAxis});
    fillMenus(window);
}

void Actions::fillMenus(QMainWindow& window)
{
    // The arrow keys also move through the stack in the details.
    panLeft->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    panRight->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QMenu* file = window.menuBar()->addMenu(tr("&File"));
    open->setIconText(tr("Open"));
    open->setIcon(lineIcon(LineIcon::Open));
    watchFolder = item(window, tr("&Watch a folder…"), {},
        tr("Open each recording that a run writes to a folder, as soon as it is complete"));
    watchFolder->setCheckable(true);
    file->addActions({open, openFolder, addFiles, watchFolder});
    recent = file->addMenu(tr("Open &recent"));
    file->addSeparator();
    addWorkspaceCommands(window, *file);
    file->addSeparator();
    addReport(window, *file);
    file->addSeparator();
    gpuActivity->setCheckable(true);
    keepLarge->setCheckable(true);
    preferences = item(
        window, tr("&Preferences…"), {Qt::CTRL | Qt::Key_Comma}, tr("Theme, text size, GPU capacity, cache"));
    file->addActions({keepLarge, forgetLarge, preferences});
    file->addSeparator();
    file->addAction(quit);

    view = window.menuBar()->addMenu(tr("&View"));
    view->addActions({fit, fitSelection, fitHeight, zoomIn, zoomOut, panLeft, panRight});
    view->addSeparator();
    eventAxis->setChecked(true);
    view->addActions({eventAxis, timeAxis, stepAxis, gpuActivity});
    details->setCheckable(true);
    view->addSeparator();
    view->addAction(details);
    view->addMenu(tr("&Theme"))->addActions(themes->actions());

    QMenu* go = window.menuBar()->addMenu(tr("&Go"));
    go->addActions({back, forward});
    go->addSeparator();
    go->addActions({peak, largestAtPeak, largest, previousStep, nextStep, nextOutOfMemory, goTo});
    go->addSeparator();
    go->addActions({previousRank, nextRank});
    go->addSeparator();
    go->addActions({find, nextMatch, previousMatch});
    go->addSeparator();
    go->addAction(release);

    addCompareMenu(window);
    notes = window.menuBar()->addMenu(tr("&Notes"));
    QMenu* help = window.menuBar()->addMenu(tr("&Help"));
    manual = item(window, tr("&Manual"), {Qt::Key_F1}, tr("How to read the views and their figures"));
    help->addActions({manual, keys, palette, about});
}

void Actions::addReport(QMainWindow& window, QMenu& file)
{
    report = item(window, tr("&Report…"), {Qt::CTRL | Qt::Key_R},
        tr("Report on the open run, to export as HTML, PDF or Markdown"));
    report->setEnabled(false);
    report->setIconText(tr("Report"));
    report->setIcon(lineIcon(LineIcon::Report));
    copyPicture = item(window, tr("&Copy picture"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C},
        tr("Copy the chart with the keyboard focus, else the main one, as it is on screen"));
    savePicture = item(window, tr("&Save picture as…"), {},
        tr("Save the same picture as on screen, for a slide or for a paper, as PNG, SVG or PDF"));
    file.addActions({report, copyPicture, savePicture});
}

void Actions::addWorkspaceCommands(QMainWindow& window, QMenu& file)
{
    saveWorkspace = item(window, tr("&Save workspace"), {Qt::CTRL | Qt::Key_S},
        tr("Save the notes, their files and the view"));
    saveWorkspaceAs = item(window, tr("Save workspace &as…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
        tr("Save the workspace to another file"));
    file.addActions({saveWorkspace, saveWorkspaceAs});
}

void Actions::addCompareMenu(QMainWindow& window)
{
    compareLast = item(window, tr("With the pr&eviously opened run"), {Qt::CTRL | Qt::Key_B},
        tr("Compare with the run that was open before this one"));
    compareBefore = item(window, tr("With an e&arlier run…"), {}, tr("Compare this run with an earlier one"));
    compareAfter = item(window, tr("With a &later run…"), {},
        tr("Compare this run with a later one, to see whether the fix worked"));
    compareSeveral = item(window, tr("Several &runs…"), {},
        tr("Compare three or more runs in a table: peaks, curves and settings"));
    showSeveral = item(window, tr("Bac&k to the table of runs"), {}, tr("Show the table of runs again"));
    swapRuns = item(window, tr("S&wap the runs"), {}, tr("Swap before and after"));
    closeComparison = item(window, tr("&Close the comparison"), {}, tr("Return to the single run"));
    QMenu* menu = window.menuBar()->addMenu(tr("&Compare"));
    menu->addActions({compareLast, compareBefore, compareAfter});
    menu->addSeparator();
    menu->addActions({compareSeveral, showSeveral});
    menu->addSeparator();
    menu->addActions({swapRuns, closeComparison});
}

void Actions::selectTheme(ThemeChoice choice)
{
    for (QAction* action : themes->actions())
        if (action->data().toString() == themeName(choice))
            action->setChecked(true);
}

void Actions::follow(const PageOffers& offers)
{
    for (QAction* action :
        {fit, fitHeight, zoomIn, zoomOut, panLeft, panRight, peak, previousStep, nextStep, release})
        action->setEnabled(offers.view);
    details->setEnabled(offers.sidePanel);
    for (QAction* action : {goTo, find, nextMatch, previousMatch, fitSelection, largestAtPeak, largest})
        action->setEnabled(offers.search);
    for (QAction* action : {fit, peak})
        action->setVisible(offers.view);
    eventAxis->setVisible(offers.times || offers.steps);
    timeAxis->setVisible(offers.times);
    stepAxis->setVisible(offers.steps);
    nextOutOfMemory->setVisible(offers.outOfMemory);
    for (QAction* action : {compareBefore, compareAfter, addFiles})
        action->setEnabled(offers.another);
    swapRuns->setEnabled(offers.swap);
    closeComparison->setEnabled(offers.close);
}

} // namespace highwater::gui

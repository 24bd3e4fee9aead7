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

QAction* makeAction(QWidget& parent, const QString& text, const QList<QKeySequence>& keys, const QString& tip)
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
    QAction* action = makeAction(window, text, {}, text);
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
    return makeAction(window, tr("&GPU activity"), {},
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
    : open(makeAction(window, tr("&Open…"), {QKeySequence::Open}, tr("Open the files of a run")))
    , openFolder(makeAction(window, tr("Open &folder…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O},
          tr("Open all files of a run, such as a snapshot of each rank")))
    , addFiles(makeAction(window, tr("A&dd to this run…"), {},
          tr("Add files of the same run, such as its log or other ranks")))
    , palette(makeAction(
          window, tr("&Commands…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_P}, tr("Find a command by name")))
    , quit(makeAction(window, tr("&Quit"), {Qt::CTRL | Qt::Key_Q}, tr("Quit")))
    , fit(makeAction(window, tr("&Fit"), {Qt::Key_0}, tr("Show the whole trace")))
    , fitHeight(
          makeAction(window, tr("Fit &height"), {Qt::Key_H}, tr("Scale the y axis to the data in view")))
    , zoomIn(makeAction(window, tr("Zoom &in"), {Qt::Key_Plus, Qt::Key_Equal}, tr("Show half as much")))
    , zoomOut(makeAction(window, tr("Zoom &out"), {Qt::Key_Minus}, tr("Show twice as much")))
    , panLeft(makeAction(page, tr("Move &left"), {Qt::Key_Left}, tr("Move the view to the left")))
    , panRight(makeAction(page, tr("Move &right"), {Qt::Key_Right}, tr("Move the view to the right")))
    , eventAxis(makeAction(window, tr("By &event"), {}, tr("Axis: allocator events, equally spaced")))
    , timeAxis(makeAction(window, tr("By &time"), {}, tr("Axis: wall time since the first event")))
    , stepAxis(makeAction(window, tr("By &step"), {}, tr("Axis: steps, equally wide")))
    , peak(makeAction(window, tr("&Peak"), {Qt::Key_P}, tr("Go to the peak")))
    , previousStep(makeAction(window, tr("Previous s&tep"), {Qt::Key_BracketLeft},
          tr("Zoom to the step before the one at the cursor")))
    , nextStep(makeAction(window, tr("Next st&ep"), {Qt::Key_BracketRight},
          tr("Zoom to the step after the one at the cursor")))
    , nextOutOfMemory(makeAction(
          window, tr("Next out-of-&memory"), {Qt::Key_O}, tr("Go to the next out-of-memory event")))
    , back(makeAction(
          window, tr("Previous &view"), {Qt::ALT | Qt::Key_Left}, tr("Go back to the previous view")))
    , forward(
          makeAction(window, tr("Ne&xt view"), {Qt::ALT | Qt::Key_Right}, tr("Go forward to the next view")))
    , previousRank(
          makeAction(window, tr("Previo&us rank"), {Qt::CTRL | Qt::Key_PageUp}, tr("Show the previous rank")))
    , nextRank(makeAction(window, tr("Next ran&k"), {Qt::CTRL | Qt::Key_PageDown}, tr("Show the next rank")))
    , goTo(makeAction(
          window, tr("&Go to…"), {Qt::CTRL | Qt::Key_G}, tr("Go to an event, a step, a time or an address")))
    , find(makeAction(window, tr("&Search"), {Qt::Key_Slash, QKeySequence::Find},
          tr("Search stacks, addresses, sizes and lifetimes")))
    , nextMatch(makeAction(
          window, tr("&Next match"), {Qt::Key_F3}, tr("Go to the next allocation that matches the search")))
    , previousMatch(makeAction(window, tr("Pre&vious match"), {Qt::SHIFT | Qt::Key_F3},
          tr("Go to the previous allocation that matches the search")))
    , release(makeAction(window, tr("&Unpin"), {Qt::Key_Escape},
          tr("Unpin the allocation, then end the highlight, then the range")))
    , keys(makeAction(
          window, tr("&Keys and mouse"), {Qt::SHIFT | Qt::Key_F1}, tr("Keyboard and mouse shortcuts")))
    , about(makeAction(window, tr("&About Highwater"), {}, tr("Version and licence")))
    , gpuActivity(makeActivity(window))
    , keepLarge(makeAction(window, tr("Cache &large files"), {},
          tr("Keep files of 32 MiB and more in a compact form in your cache folder (at most 2 GiB)")))
    , forgetLarge(
          makeAction(window, tr("Clear cac&he"), {}, tr("Delete the cached copies; the original files stay")))
    , details(makeAction(window, tr("&Details"), {Qt::Key_D},
          tr("Show details of the allocation that is pinned or under the mouse")))
    , themes(makeThemes(window))
    , recent(nullptr)
    , view(nullptr)
{
    makeExclusive(window, {eventAxis, timeAxis, stepAxis});
    // The arrow keys also move through the stack in the details.
    panLeft->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    panRight->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    fillMenus(window);
}

void Actions::fillMenus(QMainWindow& window)
{
    QMenu* file = window.menuBar()->addMenu(tr("&File"));
    open->setIconText(tr("Open"));
    open->setIcon(lineIcon(LineIcon::Open));
    watchFolder = makeAction(window, tr("&Watch a folder…"), {},
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
    preferences = makeAction(
        window, tr("&Preferences…"), {Qt::CTRL | Qt::Key_Comma}, tr("Theme, text size, GPU capacity, cache"));
    file->addActions({keepLarge, forgetLarge, preferences});
    file->addSeparator();
    file->addAction(quit);

    view = window.menuBar()->addMenu(tr("&View"));
    view->addActions({fit, fitHeight, zoomIn, zoomOut, panLeft, panRight});
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
    go->addActions({peak, previousStep, nextStep, nextOutOfMemory, goTo});
    go->addSeparator();
    go->addActions({previousRank, nextRank});
    go->addSeparator();
    go->addActions({find, nextMatch, previousMatch});
    go->addSeparator();
    go->addAction(release);

    addCompareMenu(window);
    notes = window.menuBar()->addMenu(tr("&Notes"));
    QMenu* help = window.menuBar()->addMenu(tr("&Help"));
    manual = makeAction(window, tr("&Manual"), {Qt::Key_F1}, tr("How to read the views and their figures"));
    help->addActions({manual, keys, palette, about});
}

void Actions::addReport(QMainWindow& window, QMenu& file)
{
    report = makeAction(window, tr("&Report…"), {Qt::CTRL | Qt::Key_R},
        tr("Report on the open run, to export as HTML, PDF or Markdown"));
    report->setEnabled(false);
    report->setIconText(tr("Report"));
    report->setIcon(lineIcon(LineIcon::Report));
    copyPicture = makeAction(window, tr("&Copy picture"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C},
        tr("Copy the chart with the keyboard focus, else the main one, as it is on screen"));
    savePicture = makeAction(window, tr("&Save picture as…"), {},
        tr("Save the same picture as on screen, for a slide or for a paper, as PNG, SVG or PDF"));
    file.addActions({report, copyPicture, savePicture});
}

void Actions::addWorkspaceCommands(QMainWindow& window, QMenu& file)
{
    saveWorkspace = makeAction(window, tr("&Save workspace"), {Qt::CTRL | Qt::Key_S},
        tr("Save the notes, their files and the view"));
    saveWorkspaceAs = makeAction(window, tr("Save workspace &as…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
        tr("Save the workspace to another file"));
    file.addActions({saveWorkspace, saveWorkspaceAs});
}

void Actions::addCompareMenu(QMainWindow& window)
{
    compareLast = makeAction(window, tr("With the pr&eviously opened run"), {Qt::CTRL | Qt::Key_B},
        tr("Compare with the run that was open before this one"));
    compareBefore
        = makeAction(window, tr("With an e&arlier run…"), {}, tr("Compare this run with an earlier one"));
    compareAfter = makeAction(window, tr("With a &later run…"), {},
        tr("Compare this run with a later one, to see whether the fix worked"));
    compareSeveral = makeAction(window, tr("Several &runs…"), {},
        tr("Compare three or more runs in a table: peaks, curves and settings"));
    showSeveral
        = makeAction(window, tr("Bac&k to the table of runs"), {}, tr("Show the table of runs again"));
    swapRuns = makeAction(window, tr("S&wap the runs"), {}, tr("Swap before and after"));
    closeComparison = makeAction(window, tr("&Close the comparison"), {}, tr("Return to the single run"));
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
    for (QAction* action : {fit, zoomIn, zoomOut, panLeft, panRight, peak, previousStep, nextStep, release})
        action->setEnabled(offers.view);
    details->setEnabled(offers.sidePanel);
    for (QAction* action : {goTo, find, nextMatch, previousMatch})
        action->setEnabled(offers.search);
    for (QAction* action : {fit, peak})
        action->setVisible(offers.view);
    eventAxis->setVisible(offers.times || offers.steps);
    timeAxis->setVisible(offers.times);
    stepAxis->setVisible(offers.steps);
    fitHeight->setEnabled(offers.search);
    nextOutOfMemory->setVisible(offers.outOfMemory);
    for (QAction* action : {compareBefore, compareAfter, addFiles})
        action->setEnabled(offers.another);
    swapRuns->setEnabled(offers.swap);
    closeComparison->setEnabled(offers.close);
}

} // namespace highwater::gui

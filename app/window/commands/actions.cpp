#include "app/window/commands/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace highwater::gui {

namespace {

QAction* make(QWidget& parent, const QString& text, const QList<QKeySequence>& keys, const QString& tip)
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

QActionGroup* exclusive(QWidget& parent, std::initializer_list<QAction*> actions)
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
    QAction* action = make(window, text, {}, text);
    action->setData(themeName(choice));
    return action;
}

QActionGroup* makeThemes(QMainWindow& window)
{
    return exclusive(window,
        {makeTheme(window, QObject::tr("As the &system"), ThemeChoice::System),
            makeTheme(window, QObject::tr("&Light"), ThemeChoice::Light),
            makeTheme(window, QObject::tr("&Dark"), ThemeChoice::Dark)});
}

QAction* makeActivity(QMainWindow& window)
{
    return make(window, QObject::tr("&GPU activity"), {},
        QObject::tr("Kernels, copies and calls of the driver above the timeline, where the file has them; "
                    "reads it again"));
}

} // namespace

Actions::Actions(QMainWindow& window, QWidget& page)
    : open(make(window, QObject::tr("&Open…"), {QKeySequence::Open}, QObject::tr("Open the files of a run")))
    , quit(make(window, QObject::tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, QObject::tr("Quit")))
    , fit(make(window, QObject::tr("&Fit"), {QKeySequence(Qt::Key_0)}, QObject::tr("Show the whole trace")))
    , zoomIn(make(window, QObject::tr("Zoom &in"), {QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal)},
          QObject::tr("Show half as much")))
    , zoomOut(make(
          window, QObject::tr("Zoom &out"), {QKeySequence(Qt::Key_Minus)}, QObject::tr("Show twice as much")))
    , panLeft(make(page, QObject::tr("Move &left"), {QKeySequence(Qt::Key_Left)},
          QObject::tr("Move the view to the left")))
    , panRight(make(page, QObject::tr("Move &right"), {QKeySequence(Qt::Key_Right)},
          QObject::tr("Move the view to the right")))
    , eventAxis(
          make(window, QObject::tr("&Events"), {}, QObject::tr("Axis: one step for each allocator event")))
    , timeAxis(make(window, QObject::tr("&Time"), {}, QObject::tr("Axis: wall time since the first event")))
    , peak(make(window, QObject::tr("&Peak"), {QKeySequence(Qt::Key_P)}, QObject::tr("Go to the peak")))
    , previousStep(make(window, QObject::tr("Previous s&tep"), {QKeySequence(Qt::Key_BracketLeft)},
          QObject::tr("Fill the view with the step before the one at the cursor")))
    , nextStep(make(window, QObject::tr("Next st&ep"), {QKeySequence(Qt::Key_BracketRight)},
          QObject::tr("Fill the view with the step after the one at the cursor")))
    , nextOutOfMemory(make(window, QObject::tr("Next out-of-&memory"), {QKeySequence(Qt::Key_O)},
          QObject::tr("Go to the next place where memory ran out")))
    , back(make(window, QObject::tr("Previous &view"), {QKeySequence(Qt::ALT | Qt::Key_Left)},
          QObject::tr("Back to the view before")))
    , forward(make(window, QObject::tr("Ne&xt view"), {QKeySequence(Qt::ALT | Qt::Key_Right)},
          QObject::tr("Forward to the view after")))
    , previousRank(make(window, QObject::tr("Previo&us rank"), {QKeySequence(Qt::CTRL | Qt::Key_PageUp)},
          QObject::tr("Show the rank before this one")))
    , nextRank(make(window, QObject::tr("Next ran&k"), {QKeySequence(Qt::CTRL | Qt::Key_PageDown)},
          QObject::tr("Show the rank after this one")))
    , goTo(make(window, QObject::tr("&Go to…"), {QKeySequence(Qt::CTRL | Qt::Key_G)},
          QObject::tr("Go to an event, a time or an address")))
    , find(make(window, QObject::tr("&Search"), {QKeySequence(Qt::Key_Slash), QKeySequence::Find},
          QObject::tr("Search stacks, addresses, sizes and lifetimes")))
    , nextMatch(make(window, QObject::tr("&Next match"), {QKeySequence(Qt::Key_F3)},
          QObject::tr("Go to the next allocation that matches the search")))
    , previousMatch(make(window, QObject::tr("Pre&vious match"), {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
          QObject::tr("Go to the previous allocation that matches the search")))
    , release(make(window, QObject::tr("&Release pinned allocation"), {QKeySequence(Qt::Key_Escape)},
          QObject::tr("Stop keeping the details of the pinned allocation")))
    , keys(make(window, QObject::tr("&Keys and mouse"), {QKeySequence(Qt::Key_F1)},
          QObject::tr("What keys and mouse do")))
    , about(make(window, QObject::tr("&About Highwater"), {}, QObject::tr("Version and licence")))
    , gpuActivity(makeActivity(window))
    , keepLarge(make(window, QObject::tr("&Keep large files for quick opening"), {},
          QObject::tr(
              "Files of 32 MiB and more are kept in a compact form in your cache folder, 2 GiB at most")))
    , forgetLarge(make(window, QObject::tr("For&get the kept files"), {},
          QObject::tr("Delete what is kept for quick opening; the files themselves stay")))
    , themes(makeThemes(window))
    , recent(nullptr)
    , view(nullptr)
{
    exclusive(window, {eventAxis, timeAxis});
    eventAxis->setChecked(true);
    // The arrow keys also walk through the stack in the details.
    panLeft->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    panRight->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    fillMenus(window);
}

void Actions::fillMenus(QMainWindow& window)
{
    QMenu* file = window.menuBar()->addMenu(QObject::tr("&File"));
    file->addAction(open);
    recent = file->addMenu(QObject::tr("Open &recent"));
    file->addSeparator();
    addWorkspaceCommands(window, *file);
    file->addSeparator();
    addReport(window, *file);
    file->addSeparator();
    gpuActivity->setCheckable(true);
    keepLarge->setCheckable(true);
    file->addActions({keepLarge, forgetLarge});
    file->addSeparator();
    file->addAction(quit);

    view = window.menuBar()->addMenu(QObject::tr("&View"));
    view->addActions({fit, zoomIn, zoomOut, panLeft, panRight});
    view->addSeparator();
    view->addActions({eventAxis, timeAxis, gpuActivity});
    view->addSeparator();
    view->addMenu(QObject::tr("&Colours"))->addActions(themes->actions());

    QMenu* go = window.menuBar()->addMenu(QObject::tr("&Go"));
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
    notes = window.menuBar()->addMenu(QObject::tr("&Notes"));
    QMenu* help = window.menuBar()->addMenu(QObject::tr("&Help"));
    help->addActions({keys, about});
}

void Actions::addReport(QMainWindow& window, QMenu& file)
{
    report = make(window, QObject::tr("&Report…"), {QKeySequence(Qt::CTRL | Qt::Key_R)},
        QObject::tr("What is open as a document to hand on: HTML, PDF, Markdown"));
    report->setEnabled(false);
    copyPicture = make(window, QObject::tr("&Copy picture"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
        QObject::tr("The picture that the keyboard is in, else the largest one"));
    savePicture = make(
        window, QObject::tr("&Save picture as…"), {}, QObject::tr("The same picture as SVG, PNG or PDF"));
    file.addActions({report, copyPicture, savePicture});
}

void Actions::addWorkspaceCommands(QMainWindow& window, QMenu& file)
{
    saveWorkspace = make(window, QObject::tr("&Save workspace"), {QKeySequence(Qt::CTRL | Qt::Key_S)},
        QObject::tr("Save the notes, which files they are about, and how they are looked at"));
    saveWorkspaceAs = make(window, QObject::tr("Save workspace &as…"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, QObject::tr("Save the workspace as another file"));
    file.addActions({saveWorkspace, saveWorkspaceAs});
}

void Actions::addCompareMenu(QMainWindow& window)
{
    compareBefore = make(window, QObject::tr("With the run &before…"), {},
        QObject::tr("Compare this run with an earlier one"));
    compareAfter = make(window, QObject::tr("With the run &after…"), {},
        QObject::tr("Compare this run with a later one, to see whether the fix worked"));
    compareSeveral = make(window, QObject::tr("Several &runs…"), {},
        QObject::tr("A table of three runs and more: their peaks, curves and settings"));
    showSeveral = make(
        window, QObject::tr("Bac&k to the several runs"), {}, QObject::tr("Show the table of runs again"));
    swapRuns = make(window, QObject::tr("S&wap the runs"), {}, QObject::tr("What was before is after"));
    closeComparison
        = make(window, QObject::tr("&Close the comparison"), {}, QObject::tr("Back to the one run"));
    QMenu* menu = window.menuBar()->addMenu(QObject::tr("&Compare"));
    menu->addActions({compareBefore, compareAfter});
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
    for (QAction* action : {goTo, find, nextMatch, previousMatch})
        action->setEnabled(offers.search);
    for (QAction* action : {fit, peak})
        action->setVisible(offers.view);
    for (QAction* action : {eventAxis, timeAxis})
        action->setVisible(offers.times);
    nextOutOfMemory->setVisible(offers.outOfMemory);
    for (QAction* action : {compareBefore, compareAfter})
        action->setEnabled(offers.another);
    swapRuns->setEnabled(offers.swap);
    closeComparison->setEnabled(offers.close);
}

} // namespace highwater::gui

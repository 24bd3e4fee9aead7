#include "app/window/commands/note_commands.h"
#include "app/window/commands/actions.h"

#include <algorithm>

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QListView>
#include <QMainWindow>
#include <QMenu>

#include "app/views/notes/notes_panel.h"
#include "app/views/parts/line_icon.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

NoteCommands::NoteCommands(QMainWindow& window, QMenu& menu)
    : QObject(&window)
    , addHere(makeCommand(window, tr("&Add a note"),
          tr("Add a note on what was pointed at last: a moment, step, range, allocation or row"), Qt::Key_N))
    , next(makeCommand(window, tr("&Next note"), tr("Show the next note and its place"), Qt::Key_Period))
    , previous(makeCommand(
          window, tr("&Previous note"), tr("Show the previous note and its place"), Qt::Key_Comma))
    , edit(makeCommand(window, tr("&Edit the note"), tr("Edit the title of the selected note"), Qt::Key_F2))
    , remove(makeCommand(window, tr("&Delete the note"), tr("Delete the selected note")))
    , showPanel(makeCommand(window, tr("Notes &panel"), tr("Show the list of notes next to the view"),
          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)))
    , m_window(window)
    , m_panel(new NotesPanel(m_list, m_context))
    , m_dock(new QDockWidget(tr("Notes"), &window))
{
    showPanel->setCheckable(true);
    undo = m_list.undoStack().createUndoAction(&window, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = m_list.undoStack().createRedoAction(&window, tr("&Redo"));
    redo->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    window.addActions({undo, redo});
    addHere->setIcon(lineIcon(LineIcon::Note));
    addHere->setIconText(tr("Note"));
    fillMenu(menu);
    m_dock->setObjectName(QStringLiteral("notesDock"));
    m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_dock->setWidget(m_panel);
    m_dock->installEventFilter(this);
    window.installEventFilter(this);
    window.addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->hide();
    connectParts();
    refresh();
}

void NoteCommands::fillMenu(QMenu& menu)
{
    menu.addActions({addHere, edit, remove});
    menu.addSeparator();
    menu.addActions({next, previous});
    menu.addSeparator();
    menu.addActions({undo, redo});
    menu.addSeparator();
    menu.addAction(showPanel);
}

void NoteCommands::connectParts()
{
    connect(addHere, &QAction::triggered, this, &NoteCommands::addRequested);
    connect(next, &QAction::triggered, this, [this] { goBy(1); });
    connect(previous, &QAction::triggered, this, [this] { goBy(-1); });
    connect(edit, &QAction::triggered, this, [this] { open(std::max(m_panel->current(), 0)); });
    connect(remove, &QAction::triggered, this, [this] { m_list.remove(m_panel->current()); });
    connect(showPanel, &QAction::triggered, this, &NoteCommands::setPanelWanted);
    connect(m_panel, &NotesPanel::addRequested, this, &NoteCommands::addRequested);
    connect(m_panel, &NotesPanel::goRequested, this, &NoteCommands::goRequested);
    connect(m_panel, &NotesPanel::dismissed, this, &NoteCommands::dismissed);
    connect(m_panel, &NotesPanel::chosen, this, &NoteCommands::refresh);
    connect(&m_list, &NoteList::replacedAll, this, [this] { m_isWanted = m_isWanted || m_list.size() > 0; });
    connect(&m_list, &NoteList::changed, this, [this] {
        refresh();
        if (m_list.size() > 0)
            showDock();
    });
}

void NoteCommands::refresh()
{
    const bool hasNotes = m_isUsable && m_list.size() > 0;
    addHere->setEnabled(m_isUsable);
    for (QAction* action : {next, previous, edit})
        action->setEnabled(hasNotes);
    remove->setEnabled(hasNotes && m_panel->current() >= 0);
    const QString count = m_list.size() > 0 ? QStringLiteral(" (%1)").arg(m_list.size()) : QString();
    showPanel->setText(tr("Notes &panel") + count);
    m_dock->setWindowTitle(tr("Notes") + count);
    emit changed();
}

/// Goes to the next note (`by` = 1) or the previous one (−1), from the last to the first and back.
void NoteCommands::goBy(int by)
{
    const int count = m_list.size();
    if (count == 0)
        return;
    const int start = m_panel->current() < 0 ? (by > 0 ? -1 : count) : m_panel->current();
    goTo((start + by + count) % count);
}

void NoteCommands::goTo(int index)
{
    if (index < 0 || index >= m_list.size())
        return;
    m_panel->choose(index);
    emit goRequested(index);
    showInFront(); // last, since a marked range brings the details
}

void NoteCommands::add(const Note& draft, bool isOneOfSeveral)
{
    if (!m_isUsable)
        return;
    showInFront();
    if (m_list.add(m_context.completed(draft, isOneOfSeveral)))
        m_panel->editNew();
    else
        m_panel->say(tr("The limit of %1 notes is reached.").arg(countText(static_cast<qint64>(kMaxNotes))));
}

void NoteCommands::open(int index)
{
    showInFront();
    m_panel->choose(index);
    m_panel->editCurrent();
}

void NoteCommands::moveTo(int index, std::int64_t event)
{
    if (index < 0 || index >= m_list.size())
        return;
    Note note = m_list.notes()[static_cast<std::size_t>(index)];
    note.place = NotedMoment{event};
    m_list.edit(index, std::move(note));
}

void NoteCommands::setUsable(bool usable)
{
    m_isUsable = usable;
    showPanel->setEnabled(usable);
    showDock();
    refresh();
}

void NoteCommands::setPanelWanted(bool wanted)
{
    m_isWanted = m_isAskedFor = wanted;
    showDock();
}

void NoteCommands::giveWay(int pageWidth)
{
    m_pageWidth = pageWidth;
    m_isAskedFor = false;
    showDock();
}

/// A panel that was asked for comes in front of the details, with which it shares its place. One that was not
/// appears only with notes, where the page has room for it.
void NoteCommands::showDock()
{
    const bool hasRoom
        = m_pageWidth == 0 || m_window.width() >= m_pageWidth + m_panel->minimumSizeHint().width();
    const bool mayShow = m_isWanted && (m_isAskedFor || (hasRoom && m_list.size() > 0));
    showPanel->setChecked(mayShow);
    const bool appears = m_isUsable && mayShow && m_dock->isHidden();
    m_dock->setVisible(m_isUsable && mayShow);
    if (appears && m_isAskedFor)
        m_dock->raise();
}

/// Shows the panel, also where the details are in front of it.
void NoteCommands::showInFront()
{
    setPanelWanted(true);
    if (m_dock->isVisible() && m_dock->visibleRegion().isEmpty())
        m_dock->raise();
}

/// Handles the panel's own close button, and another size of the window.
bool NoteCommands::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window && event->type() == QEvent::Resize && m_pageWidth > 0)
        showDock();
    if (watched == m_dock && event->type() == QEvent::Close)
        setPanelWanted(false);
    return QObject::eventFilter(watched, event);
}

void NoteCommands::setColors(const ThemeColors& colors)
{
    m_panel->setColors(colors);
}

} // namespace highwater::gui

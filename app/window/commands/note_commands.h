#pragma once

#include <QObject>

#include "app/workspace/notes/note_context.h"
#include "app/workspace/notes/note_list.h"
#include "app/workspace/theme/theme_colors.h"

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;

namespace highwater::gui {

class NotesPanel;

/// The user's notes on what is open, their panel, and their commands. Finding their places and going there is
/// up to the window.
class NoteCommands : public QObject
{
    Q_OBJECT

public:
    /// Fills the menu and docks the panel next to the window's centre.
    NoteCommands(QMainWindow& window, QMenu& menu);

    QAction* const addHere;
    QAction* const next;
    QAction* const previous;
    QAction* const edit;
    QAction* const remove;
    QAction* const showPanel; ///< checkable
    QAction* undo = nullptr;
    QAction* redo = nullptr;

    NoteList& list() { return m_list; }
    NoteContext& context() { return m_context; }
    NotesPanel& panel() { return *m_panel; }
    /// Returns the dock around the panel; other docks may share its place.
    QDockWidget& dock() { return *m_dock; }

    /// Appends a note and opens the panel to edit its title; the panel says if there are too many notes. Does
    /// nothing unless notes are usable. `isOneOfSeveral`: the note must name its file, since others are open
    /// too.
    void add(const Note& draft, bool isOneOfSeveral);
    /// Selects the note and opens the panel.
    void open(int index);
    /// Selects the note, shows the panel, and asks to go to the note's place. Ignored if there is no such
    /// note.
    void goTo(int index);
    /// Makes this event the place of the note.
    void moveTo(int index, std::int64_t event);
    /// `usable`: something on screen can have notes.
    void setUsable(bool usable);
    /// Shows the panel whenever notes are possible, at once even if the page needs its room, or hides it.
    void setPanelWanted(bool wanted);
    /// Keeps this width for a page that has just been shown: in a narrower window, and without notes, the
    /// panel is closed until it is asked for.
    void giveWay(int pageWidth);
    bool isPanelWanted() const { return m_isWanted; }
    void setColors(const ThemeColors& colors);

signals:
    void addRequested();
    void goRequested(int index);
    /// The notes or the selected one have changed.
    void changed();
    /// The keyboard focus should return to the view.
    void dismissed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillMenu(QMenu& menu);
    void connectParts();
    void refresh();
    void showDock();
    void showInFront();
    void goBy(int by);

    QMainWindow& m_window;
    NoteList m_list;
    NoteContext m_context;
    NotesPanel* m_panel;
    QDockWidget* m_dock;
    bool m_isUsable = false;
    bool m_isWanted = false;
    bool m_isAskedFor = false; ///< wanted since the page is on screen
    int m_pageWidth = 0;
};

} // namespace highwater::gui

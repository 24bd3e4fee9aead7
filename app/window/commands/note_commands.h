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

/// The user's notes on what is open, the panel that lists them, and the commands on them. Where their places
/// are, and how the window goes there, is the window's affair.
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

    /// Appends a note and opens the panel to edit its title. `isOneOfSeveral`: the note must name its file,
    /// since others are open too.
    void add(const Note& draft, bool isOneOfSeveral);
    /// Chooses the note and opens the panel.
    void open(int index);
    /// Another event for a note of a moment.
    void moveTo(int index, std::int64_t event);
    /// Whether there is anything on screen that notes can be about.
    void setUsable(bool usable);
    /// Whether the panel should be visible when notes are possible.
    void setPanelWanted(bool wanted);
    bool isPanelWanted() const { return m_isWanted; }
    void setColors(const ThemeColors& colors);

signals:
    void addRequested();
    void goRequested(int index);
    /// The notes, the chosen one, or both are others.
    void changed();
    /// The keyboard is to go back to the view.
    void dismissed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillMenu(QMenu& menu);
    void connectParts();
    void refresh();
    void showDock();
    void step(int by);

    QMainWindow& m_window;
    NoteList m_list;
    NoteContext m_context;
    NotesPanel* m_panel;
    QDockWidget* m_dock;
    bool m_isUsable = false;
    bool m_isWanted = false;
    bool m_hasRoom = false; ///< the panel was on screen before
};

} // namespace highwater::gui

#pragma once

#include <QWidget>

#include "app/workspace/notes/note_context.h"
#include "app/workspace/notes/note_list.h"
#include "app/workspace/theme/theme_colors.h"

class QLabel;
class QListView;
class QToolButton;

namespace highwater::gui {

class NoteDelegate;
class NoteEditor;
class NoteModel;

/// The list of notes, and below it an editor for the chosen note. Enter or a double click goes to a note's
/// place; rows can be dragged to another position. All changes go through the NoteList, so that they can be
/// undone.
class NotesPanel : public QWidget
{
    Q_OBJECT

public:
    /// `list` and `context` must outlive the panel.
    NotesPanel(NoteList& list, const NoteContext& context, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Returns the index of the chosen note, −1 if there is none.
    int current() const;
    void choose(int index);
    /// Opens the last note, which must exist, with its title selected. Esc removes the note as long as
    /// nothing was typed.
    void editNew();
    /// Moves the keyboard focus to the title of the chosen note.
    void editCurrent();
    /// Shows a sentence below the list until another note is chosen; an empty one hides it.
    void say(const QString& sentence);

    QListView& list() { return *m_view; }
    NoteEditor& editor() { return *m_editor; }

    QSize sizeHint() const override { return {330, 420}; }
    QSize minimumSizeHint() const override { return {240, 220}; }

signals:
    void goRequested(int index);
    /// Another note was chosen; −1 if none is.
    void chosen(int index);
    /// The user wants a note on what was pointed at last.
    void addRequested();
    /// Esc, or Enter in the title, was pressed; the owner returns the keyboard focus to the widget that had
    /// it before.
    void dismissed();

private:
    QWidget* makeList();
    QWidget* makeButtons();
    QToolButton* makeButton(const QString& name, const QString& text, const QString& tip);
    void connectParts();
    void connectList();
    void acceptEdit(Note note);
    void followSelection();
    void nameFiles();
    void handleEscape();
    void moveCurrent(int by) { m_notes.move(current(), current() + by); }

    NoteList& m_notes;
    const NoteContext& m_context;
    NoteModel* m_model;
    NoteDelegate* m_delegate;
    QListView* m_view;
    QLabel* m_empty;
    QLabel* m_sentence;
    NoteEditor* m_editor;
    QToolButton* m_up = nullptr;
    QToolButton* m_down = nullptr;
    QToolButton* m_go = nullptr;
    bool m_isNew = false; ///< the chosen note was just added and is empty
};

} // namespace highwater::gui

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

/// The notes in their order, and below them the chosen one to be edited. Enter or a double click asks to go
/// to a note's place; rows are dragged to another place in the order.
class NotesPanel : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive it.
    NotesPanel(NoteList& list, const NoteContext& context, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Index of the chosen note; −1: none.
    int current() const;
    void choose(int index);
    /// The newest note, its title selected for typing; Esc takes it back as long as nothing was typed.
    void editNew();
    /// Puts the keyboard into the title of the chosen note.
    void editCurrent();
    /// A sentence below the list, until another note is chosen.
    void say(const QString& sentence);

    QListView& list() { return *m_view; }
    NoteEditor& editor() { return *m_editor; }

    QSize sizeHint() const override { return {330, 420}; }
    QSize minimumSizeHint() const override { return {240, 220}; }

signals:
    void goRequested(int index);
    /// Another note is the chosen one; −1: none is.
    void chosen(int index);
    void addRequested();
    /// Esc: the keyboard is to go back to where it was.
    void dismissed();

private:
    QWidget* makeList();
    QWidget* makeButtons();
    QToolButton* makeButton(const QString& name, const QString& text, const QString& tip);
    void connectParts();
    void connectList();
    void take(Note note);
    void follow();
    void escape();
    void moveCurrent(int by) { m_notes.move(current(), current() + by); }

    NoteList& m_notes;
    NoteModel* m_model;
    NoteDelegate* m_delegate;
    QListView* m_view;
    QLabel* m_empty;
    QLabel* m_sentence;
    NoteEditor* m_editor;
    QToolButton* m_up = nullptr;
    QToolButton* m_down = nullptr;
    QToolButton* m_go = nullptr;
    QToolButton* m_delete = nullptr;
    bool m_isNew = false; ///< the chosen note was just made, and nothing is written in it
};

} // namespace highwater::gui

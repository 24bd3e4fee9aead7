#pragma once

#include <QObject>
#include <QUndoStack>

#include "core/run/note.h"

namespace highwater::gui {

/// The user's notes in their order. Every change is a command that can be undone; what is loaded is not.
///
/// The signals come in pairs around one change, as item models want them; `changed` comes after each of them.
/// The stack knows whether anything changed since it was last called clean: `undoStack().setClean()` after
/// saving.
class NoteList : public QObject
{
    Q_OBJECT

public:
    explicit NoteList(QObject* parent = nullptr);

    const Notes& notes() const { return m_notes; }
    int size() const { return static_cast<int>(m_notes.size()); }
    bool isFull() const { return m_notes.size() >= kMostNotes; }
    QUndoStack& undoStack() { return m_undo; }
    const QUndoStack& undoStack() const { return m_undo; }

    /// At the end; its number is `size()` then. False, and nothing happens, when the list is full.
    bool add(Note note);
    /// Typing in the title or the text of one note is one command until `endTyping`.
    void edit(int index, Note note);
    /// What is typed from now on is a command of its own.
    void endTyping() { ++m_typing; }
    void remove(int index);
    /// Moves the note at `from` to position `to`.
    void move(int from, int to);
    /// Takes back the newest command, which added the last note, so that it cannot be done again either.
    /// False, and nothing happens, when the newest command is another one.
    bool discardAdded();
    /// Another list, as loaded: nothing of it can be undone.
    void replaceAll(Notes notes);

    /// What was before is after, and the other way round, in every note and in what can be undone: the runs
    /// that the notes are about have changed places. Not a command itself.
    void swapRuns();

    /// The note within its limits: a title of one line, a title and a text of at most as many bytes as
    /// core/run allows, cut between characters.
    static Note fitted(Note note);

signals:
    void aboutToInsert(int index);
    void inserted(int index);
    void aboutToRemove(int index);
    void removed(int index);
    void aboutToMove(int from, int to);
    void moved(int from, int to);
    void edited(int index);
    void aboutToReplaceAll();
    void replacedAll();
    /// After every change.
    void changed();

private:
    class Command;
    class Add;
    class Edit;
    class Remove;
    class Move;

    bool has(int index) const { return index >= 0 && index < size(); }
    void insertAt(int index, Note note);
    Note takeAt(int index);
    void setAt(int index, const Note& note);
    void moveTo(int from, int to);

    Notes m_notes;
    QUndoStack m_undo;
    bool m_isSwapped = false; ///< against how commands with another value hold their notes
    int m_typing = 0; ///< separates stretches of typing, each of which is one undo step
    bool m_discards = false;
};

} // namespace highwater::gui

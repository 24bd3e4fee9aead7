#pragma once

#include <QObject>
#include <QUndoStack>

#include "core/run/note.h"

namespace highwater::gui {

/// The user's notes in their order. Every change except `replaceAll` and `swapRuns` is a command that can be
/// undone. Changes at an index that the list does not have are ignored.
///
/// The signals come in pairs around each change but `edited`, as item models need them; `changed` follows.
/// The undo stack knows whether there are unsaved changes: call `undoStack().setClean()` after saving.
class NoteList : public QObject
{
    Q_OBJECT

public:
    explicit NoteList(QObject* parent = nullptr);

    const Notes& notes() const { return m_notes; }
    int size() const { return static_cast<int>(m_notes.size()); }
    bool isFull() const { return m_notes.size() >= kMaxNotes; }
    QUndoStack& undoStack() { return m_undo; }
    const QUndoStack& undoStack() const { return m_undo; }

    /// Appends a note; its number is then `size()`. Returns false without changing anything if the list is
    /// full.
    bool add(Note note);
    /// Replaces a note. Successive changes to title and text of one note are one command until `endTyping`.
    void edit(int index, Note note);
    /// Starts a new command for the text typed from now on.
    void endTyping() { ++m_typing; }
    void remove(int index);
    /// Moves a note to another position.
    void move(int oldIndex, int newIndex);
    /// Undoes the newest command if it added a note, and forgets it. Returns false without changing anything
    /// if there is none or it is another one.
    bool discardAdded();
    /// Replaces the list with a loaded one, which cannot be undone, and clears the undo history. Notes above
    /// kMaxNotes are left out.
    void replaceAll(Notes notes);

    /// Swaps before and after in every note and in the undo history, because the runs have changed places.
    /// Not a command itself, but notes, if there are any, then count as unsaved.
    void swapRuns();

    /// Cuts the note to its limits: a title of one line, and title and text of at most as many bytes as
    /// core/run allows, cut between characters.
    static Note fitted(Note note);

signals:
    void aboutToInsert(int index);
    void inserted(int index);
    void aboutToRemove(int index);
    void removed(int index);
    void aboutToMove(int oldIndex, int newIndex);
    void moved(int oldIndex, int newIndex);
    void edited(int index);
    void aboutToReplaceAll();
    void replacedAll();
    /// Emitted after every change.
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
    void moveTo(int oldIndex, int newIndex);

    Notes m_notes;
    QUndoStack m_undo;
    bool m_isSwapped = false; ///< a command with another value stores its notes with swapped roles
    int m_typing = 0; ///< separates series of typing, each of which is one undo step
    bool m_isDiscarding = false; ///< true while `discardAdded` undoes a command, which is then dropped
};

} // namespace highwater::gui

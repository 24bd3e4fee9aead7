#include "app/workspace/notes/note_list.h"

#include <algorithm>
#include <utility>

#include <QUndoCommand>

#include "core/base/valid_text.h"

namespace highwater::gui {

namespace {

/// Older changes cannot be undone, which limits the memory for deleted notes.
constexpr int kMaxUndoSteps = 1000;
constexpr int kTypingId = 1;

/// Cuts the text to at most `maxBytes` bytes, between characters of UTF-8.
void cut(std::string& text, std::size_t maxBytes)
{
    if (text.size() > maxBytes)
        text.resize(characterStart(text, maxBytes));
}

/// True if the notes are equal but for title and text.
bool differsInWordsOnly(const Note& first, Note second)
{
    second.title = first.title;
    second.text = first.text;
    return first == second;
}

NoteRun otherOf(NoteRun run)
{
    return run == NoteRun::Before ? NoteRun::After : NoteRun::Before;
}

} // namespace

/// Base class of the commands. Numbers of notes in their texts count from 1.
class NoteList::Command : public QUndoCommand
{
public:
    Command(NoteList& list, const QString& text)
        : QUndoCommand(text)
        , m_list(list)
        , m_isSwapped(list.m_isSwapped)
    {
    }

protected:
    /// Converts a note of this command to the current roles of the runs.
    Note inList(Note note) const
    {
        if (m_isSwapped != m_list.m_isSwapped)
            note.run = otherOf(note.run);
        return note;
    }
    /// Converts a note of the list to the roles used by this command: the conversion is its own inverse.
    Note inCommand(Note note) const { return inList(std::move(note)); }

    NoteList& m_list;

private:
    bool m_isSwapped;
};

class NoteList::Add : public Command
{
public:
    Add(NoteList& list, Note note)
        : Command(list, tr("add note %1").arg(list.size() + 1))
        , m_index(list.size())
        , m_note(std::move(note))
    {
    }

    void redo() override { m_list.insertAt(m_index, inList(m_note)); }
    void undo() override
    {
        m_list.takeAt(m_index);
        setObsolete(m_list.m_isDiscarding);
    }

private:
    int m_index;
    Note m_note;
};

class NoteList::Edit : public Command
{
public:
    Edit(NoteList& list, int index, Note note)
        : Command(list, textOf(list, index, note))
        , m_index(index)
        , m_before(list.m_notes[static_cast<std::size_t>(index)])
        , m_after(std::move(note))
        , m_typing(list.m_typing)
        , m_isTyped(differsInWordsOnly(m_before, m_after))
    {
    }

    void redo() override { m_list.setAt(m_index, inList(m_after)); }
    void undo() override { m_list.setAt(m_index, inList(m_before)); }
    int id() const override { return m_isTyped ? kTypingId : -1; }
    bool mergeWith(const QUndoCommand* command) override
    {
        const auto& next = static_cast<const Edit&>(*command); // only this class uses this id
        if (next.m_index != m_index || next.m_typing != m_typing)
            return false;
        m_after = inCommand(next.inList(next.m_after));
        setObsolete(m_after == m_before);
        return true;
    }

private:
    static QString textOf(const NoteList& list, int index, const Note& note)
    {
        const Note& current = list.m_notes[static_cast<std::size_t>(index)];
        if (differsInWordsOnly(current, note))
            return tr("typing in note %1").arg(index + 1);
        if (current.color != note.color)
            return tr("colour of note %1").arg(index + 1);
        return tr("place of note %1").arg(index + 1);
    }

    int m_index;
    Note m_before;
    Note m_after;
    int m_typing;
    bool m_isTyped;
};

class NoteList::Remove : public Command
{
public:
    Remove(NoteList& list, int index)
        : Command(list, tr("delete note %1").arg(index + 1))
        , m_index(index)
    {
    }

    void redo() override { m_note = inCommand(m_list.takeAt(m_index)); }
    void undo() override { m_list.insertAt(m_index, inList(m_note)); }

private:
    int m_index;
    Note m_note;
};

class NoteList::Move : public Command
{
public:
    Move(NoteList& list, int oldIndex, int newIndex)
        : Command(list, tr("move note %1 to %2").arg(oldIndex + 1).arg(newIndex + 1))
        , m_oldIndex(oldIndex)
        , m_newIndex(newIndex)
    {
    }

    void redo() override { m_list.moveTo(m_oldIndex, m_newIndex); }
    void undo() override { m_list.moveTo(m_newIndex, m_oldIndex); }

private:
    int m_oldIndex;
    int m_newIndex;
};

NoteList::NoteList(QObject* parent)
    : QObject(parent)
{
    m_undo.setUndoLimit(kMaxUndoSteps);
}

bool NoteList::add(Note note)
{
    if (isFull())
        return false;
    m_undo.push(new Add(*this, fitted(std::move(note))));
    return true;
}

void NoteList::edit(int index, Note note)
{
    note = fitted(std::move(note));
    if (has(index) && m_notes[static_cast<std::size_t>(index)] != note)
        m_undo.push(new Edit(*this, index, std::move(note)));
}

void NoteList::remove(int index)
{
    if (has(index))
        m_undo.push(new Remove(*this, index));
}

void NoteList::move(int oldIndex, int newIndex)
{
    if (has(oldIndex) && has(newIndex) && oldIndex != newIndex)
        m_undo.push(new Move(*this, oldIndex, newIndex));
}

bool NoteList::discardAdded()
{
    const QUndoCommand* newest = m_undo.index() > 0 ? m_undo.command(m_undo.index() - 1) : nullptr;
    if (!dynamic_cast<const Add*>(newest))
        return false;
    m_isDiscarding = true;
    m_undo.undo();
    m_isDiscarding = false;
    return true;
}

void NoteList::replaceAll(Notes notes)
{
    if (notes.size() > kMaxNotes)
        notes.resize(kMaxNotes);
    std::ranges::transform(notes, notes.begin(), [](Note& note) { return fitted(std::move(note)); });
    emit aboutToReplaceAll();
    m_notes = std::move(notes);
    m_undo.clear();
    emit replacedAll();
    emit changed();
}

void NoteList::swapRuns()
{
    m_isSwapped = !m_isSwapped;
    if (m_notes.empty())
        return;
    for (int i = 0; i < size(); ++i) {
        Note& note = m_notes[static_cast<std::size_t>(i)];
        note.run = otherOf(note.run);
        emit edited(i);
    }
    m_undo.resetClean();
    emit changed();
}

Note NoteList::fitted(Note note)
{
    std::ranges::replace_if(
        note.title, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    cut(note.title, kMaxNoteTitleBytes);
    cut(note.text, kMaxNoteTextBytes);
    return note;
}

void NoteList::insertAt(int index, Note note)
{
    emit aboutToInsert(index);
    m_notes.insert(m_notes.begin() + index, std::move(note));
    emit inserted(index);
    emit changed();
}

Note NoteList::takeAt(int index)
{
    emit aboutToRemove(index);
    Note note = std::move(m_notes[static_cast<std::size_t>(index)]);
    m_notes.erase(m_notes.begin() + index);
    emit removed(index);
    emit changed();
    return note;
}

void NoteList::setAt(int index, const Note& note)
{
    m_notes[static_cast<std::size_t>(index)] = note;
    emit edited(index);
    emit changed();
}

void NoteList::moveTo(int oldIndex, int newIndex)
{
    emit aboutToMove(oldIndex, newIndex);
    const auto first = m_notes.begin();
    if (oldIndex < newIndex)
        std::rotate(first + oldIndex, first + oldIndex + 1, first + newIndex + 1);
    else
        std::rotate(first + newIndex, first + oldIndex, first + oldIndex + 1);
    emit moved(oldIndex, newIndex);
    emit changed();
}

} // namespace highwater::gui

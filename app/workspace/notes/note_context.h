#pragma once

#include <vector>

#include <QObject>

#include "app/workspace/notes/note_places.h"

namespace highwater::gui {

/// The runs on screen, as far as notes are about them: one file, or the two of a comparison.
class NoteContext : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// At most one for each run; none where nothing is open.
    void setSubjects(std::vector<NoteSubject> subjects);
    const std::vector<NoteSubject>& subjects() const { return m_subjects; }
    bool hasTwoRuns() const { return m_subjects.size() > 1; }
    const NoteSubject* subjectOf(NoteRun run) const;
    /// What the run that was opened first is in the notes; the other one is the other.
    NoteRun ownRun() const { return m_ownRun; }
    void setOwnRun(NoteRun run) { m_ownRun = run; }

    /// The note's place in words, with its figures where its device is on screen: "before: event 5,701 ·
    /// 14.50 GiB requested".
    QString placeOf(const Note& note) const;
    /// A new note with its file and device told, where they are not those that are meant without a word.
    /// `isOneOfSeveral`: the run has more files that look like it.
    Note completed(Note draft, bool isOneOfSeveral) const;

signals:
    void changed();

private:
    std::vector<NoteSubject> m_subjects;
    NoteRun m_ownRun = NoteRun::After;
};

} // namespace highwater::gui

#pragma once

#include <vector>

#include <QObject>

#include "app/workspace/notes/note_places.h"

namespace highwater::gui {

/// The runs on screen that notes can be about: one file, or the two of a comparison.
class NoteContext : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Sets the subjects: at most one for each run; empty if nothing is open.
    void setSubjects(std::vector<NoteSubject> subjects);
    const std::vector<NoteSubject>& subjects() const { return m_subjects; }
    bool hasTwoRuns() const { return m_subjects.size() > 1; }
    const NoteSubject* subjectOf(NoteRun run) const;
    /// Returns the role of the first opened run in the notes; the other run has the other role.
    NoteRun ownRun() const { return m_ownRun; }
    void setOwnRun(NoteRun run) { m_ownRun = run; }

    /// Describes the note's place, with figures if its device is on screen: "before: event 5,701 · 14.5 GiB".
    QString placeOf(const Note& note) const;
    /// Says what the note is on: "the peak of step 3, 1.28 s".
    QString targetOf(const Note& note) const;
    /// Returns the draft with file and device filled in unless they are obvious. Fills in the file if the run
    /// has several similar files (`isOneOfSeveral`), and the device if it is not the main device.
    Note completed(Note draft, bool isOneOfSeveral) const;

signals:
    void changed();

private:
    std::vector<NoteSubject> m_subjects;
    NoteRun m_ownRun = NoteRun::After;
};

} // namespace highwater::gui

#include "app/workspace/notes/note_context.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

void NoteContext::setSubjects(std::vector<NoteSubject> subjects)
{
    m_subjects = std::move(subjects);
    emit changed();
}

const NoteSubject* NoteContext::subjectOf(NoteRun run) const
{
    const auto found = std::ranges::find(m_subjects, run, &NoteSubject::run);
    return found == m_subjects.end() ? nullptr : &*found;
}

QString NoteContext::placeOf(const Note& note) const
{
    const NoteSubject* const subject = subjectOf(note.run);
    const bool isShown = subject && isAbout(note, *subject);
    QString words
        = isShown ? placeWithFigures(note.place, *subject->analysis) : toQString(placeText(note.place));
    if (words.isEmpty())
        words = tr("the run as a whole");
    if (!isShown && !note.device.empty())
        words += QStringLiteral(" · ") + toQString(note.device);
    const bool isItsFile = subject && isAboutFile(note, *subject);
    if (!note.file.empty() && !isItsFile)
        words += QStringLiteral(" · ") + toQString(note.file);
    const bool isOfBoth = std::holds_alternative<NotedRow>(note.place);
    const bool namesRun = (hasTwoRuns() || !subject) && !isOfBoth && !m_subjects.empty();
    return namesRun ? toQString(toText(note.run)) + QStringLiteral(": ") + words : words;
}

QString NoteContext::targetOf(const Note& note) const
{
    const NoteSubject* const subject = subjectOf(note.run);
    const bool isSingle = subject && isAbout(note, *subject) && !hasTwoRuns();
    const bool hasPlace = !std::holds_alternative<std::monostate>(note.place);
    return isSingle && hasPlace ? placeWithRole(note.place, *subject->analysis) : placeOf(note);
}

Note NoteContext::completed(Note draft, bool isOneOfSeveral) const
{
    const NoteSubject* const subject = subjectOf(draft.run);
    if (!subject || !subject->document || std::holds_alternative<NotedLine>(draft.place))
        return draft;
    if (isOneOfSeveral)
        draft.file = subject->document->fileName();
    if (subject->analysis && subject->document->mainDevice != subject->analysis->device)
        draft.device = subject->analysis->info().label();
    return draft;
}

} // namespace highwater::gui

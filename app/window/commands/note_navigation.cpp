#include "app/window/commands/note_navigation.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>

#include "app/views/notes/notes_panel.h"
#include "app/views/pages/page_stack.h"
#include "app/window/commands/note_commands.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

NoteNavigation::NoteNavigation(
    NoteCommands& notes, PageStack& pages, DocumentPage& page, RunSession& session, QObject* parent)
    : QObject(parent)
    , m_notes(notes)
    , m_pages(pages)
    , m_page(page)
    , m_session(session)
{
    connect(&m_notes, &NoteCommands::addRequested, this, [this] { add(noteHere()); });
    connect(&m_notes, &NoteCommands::goRequested, this, qOverload<int>(&NoteNavigation::goTo));
    connect(&m_notes, &NoteCommands::changed, this, &NoteNavigation::showNotes);
    connect(&m_notes, &NoteCommands::dismissed, this, [this] { m_pages.inSight().takeFocus(); });
    connectPages();
    followPage();
    showNotes();
}

void NoteNavigation::connectPages()
{
    connect(&m_pages, &PageStack::changed, this, &NoteNavigation::followPage);
    for (Page* page : m_pages.pages()) {
        connect(page, &Page::noteRequested, this, &NoteNavigation::add);
        connect(page, &Page::noteClicked, this, [this](int number) { m_notes.open(number - 1); });
        connect(page, &Page::noteSought, this, [this](int number) { m_notes.goTo(number - 1); });
        connect(page, &Page::noteMoved, this,
            [this](int number, qint64 event) { m_notes.moveTo(number - 1, event); });
    }
}

/// Tells the notes which runs are on screen. If the run that was opened first is now the other one, the notes
/// change sides with it.
void NoteNavigation::followPage()
{
    std::vector<NoteSubject> subjects = m_pages.current().subjects();
    NoteContext& context = m_notes.context();
    for (const NoteSubject& subject : subjects)
        if (subject.document == m_page.document() && subject.run != context.ownRun()) {
            context.setOwnRun(subject.run);
            m_notes.list().swapRuns();
        }
    const bool hasSubjects = !subjects.empty();
    context.setSubjects(std::move(subjects));
    const Page* const shown = &m_pages.current();
    if (std::exchange(m_shown, shown) != shown)
        m_notes.giveWay(m_pages.current().leastWidth());
    m_notes.setUsable(hasSubjects);
}

void NoteNavigation::showNotes()
{
    for (Page* page : m_pages.pages())
        page->showNotes(m_notes.list().notes(), m_notes.panel().current() + 1);
}

/// While a report covers the page, the note is on the run as a whole, because the cursor of the page is
/// hidden.
Note NoteNavigation::noteHere() const
{
    Note note = m_pages.inSight().noteHere();
    if (isCovered() && !m_pages.current().subjects().empty())
        note.run = m_pages.current().subjects().back().run;
    return note;
}

bool NoteNavigation::isCovered() const
{
    return &m_pages.inSight() != &m_pages.current();
}

void NoteNavigation::add(const Note& draft)
{
    const NoteSubject* const subject = m_notes.context().subjectOf(draft.run);
    const bool isOther = subject && subject->document != m_page.document();
    const bool isOnRow = std::holds_alternative<NotedRow>(draft.place);
    m_notes.add(draft, !isOnRow && (isOther || m_session.hasRanks()));
}

void NoteNavigation::goTo(int index)
{
    if (index < 0 || index >= m_notes.list().size())
        return;
    if (isCovered())
        return m_notes.panel().say(tr("Close the report (Esc) to go to note %1.").arg(index + 1));
    const Note note = m_notes.list().notes()[static_cast<std::size_t>(index)];
    m_pendingNote.reset();
    const QString hindrance = goTo(note);
    m_notes.panel().say(hindrance.isEmpty() ? QString() : tr("Note %1 %2").arg(index + 1).arg(hindrance));
}

/// Goes to the note's place. Returns an empty text, or why that is impossible: "is about …".
QString NoteNavigation::goTo(const Note& note)
{
    if (std::holds_alternative<std::monostate>(note.place))
        return tr("is about the run as a whole.");
    return m_pages.current().goTo(note) ? QString() : goElsewhere(note);
}

/// Goes to a note whose place is not on the page.
QString NoteNavigation::goElsewhere(const Note& note)
{
    const NoteSubject* const subject = m_notes.context().subjectOf(note.run);
    if (std::holds_alternative<NotedLine>(note.place))
        return tr("is about a line of %1, which is not open.")
            .arg(note.file.empty() ? tr("a log") : QString::fromStdString(note.file));
    const bool isOnRow = std::holds_alternative<NotedRow>(note.place);
    if (isOnRow && !m_notes.context().hasTwoRuns())
        return tr("is about a row of a comparison, which is not open.");
    if (!subject)
        return tr("is about the run %1, which is not open.").arg(toQString(toText(note.run)));
    if (!isOnRow && !isAboutFile(note, *subject))
        return goToFileOf(note);
    return tr("is about a place that cannot be found.");
}

/// Shows another file of the run first, then goes to the note.
QString NoteNavigation::goToFileOf(const Note& note)
{
    const std::vector<RunFile>& files = m_session.run().files();
    const auto found = std::ranges::find_if(files, [&](const RunFile& file) {
        return QFileInfo(qtPath(file.input.member.path)).fileName().toStdString() == note.file;
    });
    if (m_notes.context().hasTwoRuns() || found == files.end())
        return tr("is about %1, which is not open.").arg(toQString(note.file));
    m_pendingNote = note;
    m_session.show(static_cast<std::size_t>(found - files.begin()));
    return {};
}

void NoteNavigation::goToPendingNote()
{
    if (const std::optional<Note> note = std::exchange(m_pendingNote, std::nullopt))
        goTo(*note);
}

} // namespace highwater::gui

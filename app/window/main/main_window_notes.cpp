#include <algorithm>

#include <QAction>
#include <QFileInfo>
#include <QListView>
#include <QSettings>
#include <QStackedWidget>

#include "app/views/compare/log_compare_view.h"
#include "app/views/findings/findings_view.h"
#include "app/views/log/log_view.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/pages/recording_page.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"

// The user's notes on the open runs.

namespace highwater::gui {

namespace {
const QString kNotesPanel = QStringLiteral("notesPanel");
}

void MainWindow::buildNotes()
{
    m_notes = new NoteCommands(*this, *m_actions->notes);
    connect(m_notes, &NoteCommands::addRequested, this, [this] { addNote(noteHere()); });
    connect(m_notes, &NoteCommands::goRequested, this, &MainWindow::goToNote);
    connect(m_notes, &NoteCommands::changed, this, &MainWindow::showNotesInViews);
    connect(m_notes, &NoteCommands::dismissed, this, &MainWindow::focusView);
    const auto connectPage = [this](auto* page) {
        using Page = std::remove_pointer_t<decltype(page)>;
        connect(page, &Page::noteRequested, this, &MainWindow::addNote);
        connect(page, &Page::noteClicked, this, [this](int number) { m_notes->open(number - 1); });
        connect(page, &Page::noteMoved, this,
            [this](int number, qint64 event) { m_notes->moveTo(number - 1, event); });
    };
    connectPage(m_page);
    connectPage(m_compare);
    connect(m_logPage, &LogView::noteRequested, this, &MainWindow::addNote);
    connect(m_page, &DocumentPage::bytesChanged, this, &MainWindow::refreshNotes);
    connect(&m_compare->state(), &ComparisonState::runsChanged, this, &MainWindow::refreshNotes);
    connect(m_logCompare, &LogCompareView::settled, this, &MainWindow::refreshNotes);
    m_page->showNotes(m_notes->list().notes(), 0);
}

/// Sets the runs on screen, and which of them was opened first.
void MainWindow::refreshNotes()
{
    std::vector<NoteSubject> subjects;
    if (isComparing())
        subjects = m_compare->noteSubjects();
    else if (isComparingLogs() && m_logCompare->before())
        subjects = {{NoteRun::Before, m_logCompare->before(), nullptr},
            {NoteRun::After, m_logCompare->after(), nullptr}};
    else if (!showsSweep() && m_page->document())
        subjects = {m_page->noteSubject()};
    for (const NoteSubject& subject : subjects)
        if (subject.document == m_page->document() && std::exchange(m_ownRun, subject.run) != subject.run)
            m_notes->list().swapRuns();
    m_notes->context().setSubjects(std::move(subjects));
    m_notes->setUsable(!showsSweep() && m_page->document() != nullptr);
}

void MainWindow::showNotesInViews()
{
    const Notes& notes = m_notes->list().notes();
    const int chosen = m_notes->panel().current() + 1;
    if (isComparing())
        m_compare->showNotes(notes, chosen);
    m_page->showNotes(notes, chosen);
    if (m_log->hasLog())
        m_log->setNotes(lineNotes(notes, NoteRun::After, m_log->fileName().toStdString(), false));
    if (m_logPage->hasLog())
        m_logPage->setNotes(lineNotes(notes, NoteRun::After, m_logPage->fileName().toStdString(), true));
}

Note MainWindow::noteHere() const
{
    if (isComparing())
        return m_compare->noteHere();
    if (showsLog())
        return m_logPage->noteHere().value_or(Note());
    return showsDocument() ? m_page->noteHere() : Note();
}

void MainWindow::addNote(const Note& draft)
{
    Note note = draft;
    if (showsLog())
        note.file.clear(); // the log is the run
    const NoteSubject* const subject = m_notes->context().subjectOf(note.run);
    const bool isOther = subject && subject->document != m_page->document();
    const bool isOfBoth = std::holds_alternative<NotedRow>(note.place);
    m_notes->add(note, !isOfBoth && (isOther || m_session.hasRanks()));
}

void MainWindow::goToNote(int index)
{
    if (index < 0 || index >= m_notes->list().size())
        return;
    const Note note = m_notes->list().notes()[static_cast<std::size_t>(index)];
    m_wantedNote.reset();
    if (const QString hindrance = goTo(note); !hindrance.isEmpty())
        m_notes->panel().say(tr("Note %1 %2").arg(index + 1).arg(hindrance));
    else
        m_notes->panel().say({});
}

/// Empty, or why that cannot be: "is about …".
QString MainWindow::goTo(const Note& note)
{
    if (std::holds_alternative<std::monostate>(note.place))
        return tr("is about the run as a whole.");
    if (std::holds_alternative<NotedLine>(note.place))
        return goToNotedLine(note);
    const NoteSubject* const subject = m_notes->context().subjectOf(note.run);
    const bool isOfTwo = std::holds_alternative<NotedRow>(note.place);
    if (!subject || (isOfTwo && !isComparing()))
        return isOfTwo ? tr("is about a row of a comparison, which is not open.")
                       : tr("is about the run %1, which is not open.").arg(toQString(toText(note.run)));
    if (!isOfTwo && !isAboutFile(note, *subject))
        return goToFileOf(note);
    const QString notThere = tr("is about a place that is not there.");
    if (isComparing()) {
        const bool isShown = isOfTwo || isAbout(note, *subject);
        return isShown && m_compare->goTo(note.run, note.place) ? QString() : notThere;
    }
    const std::optional<DeviceIndex> device = deviceOf(note, *subject->document);
    if (!showsDocument() || !device)
        return notThere;
    m_page->setDevice(*device);
    return m_page->goTo(note.place) ? QString() : notThere;
}

QString MainWindow::goToNotedLine(const Note& note)
{
    const std::uint64_t line = std::get<NotedLine>(note.place).line;
    const QString file = QString::fromStdString(note.file);
    const bool isOwn = note.run == NoteRun::After;
    if (showsLog() && isOwn && (file.isEmpty() || file == m_logPage->fileName())) {
        m_logPage->goToLine(line);
    } else if (showsDocument() && isOwn && m_log->hasLog() && file == m_log->fileName()) {
        openView(QStringLiteral("log"));
        m_log->goToLine(line);
    } else {
        return tr("is about a line of %1, which is not open.").arg(file.isEmpty() ? tr("a log") : file);
    }
    return {};
}

/// Another file of the run is shown first.
QString MainWindow::goToFileOf(const Note& note)
{
    const std::vector<RunFile>& files = m_session.run().files();
    const auto found = std::ranges::find_if(files, [&](const RunFile& file) {
        return QFileInfo(qtPath(file.input.member.path)).fileName().toStdString() == note.file;
    });
    if (isComparing() || found == files.end())
        return tr("is about %1, which is not open.").arg(toQString(note.file));
    m_wantedNote = note;
    m_session.show(static_cast<std::size_t>(found - files.begin()));
    return {};
}

void MainWindow::goToWantedNote()
{
    if (const std::optional<Note> note = std::exchange(m_wantedNote, std::nullopt))
        goTo(*note);
}

void MainWindow::focusView()
{
    if (isComparing())
        m_compare->timelines().plot(m_compare->timelines().lastSide()).setFocus();
    else if (showsLog())
        m_logPage->lines().setFocus();
    else if (showsDocument())
        m_page->timeline().setFocus();
}

void MainWindow::saveNotesLayout(QSettings& settings) const
{
    settings.setValue(kNotesPanel, m_notes->isPanelWanted());
}

void MainWindow::restoreNotesLayout(const QSettings& settings)
{
    m_notes->setPanelWanted(settings.value(kNotesPanel, false).toBool());
}

} // namespace highwater::gui

#include "app/window/pages/log_page.h"

#include <QFrame>
#include <QListView>

#include "app/views/log/log_view.h"
#include "app/views/pages/headline.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/study/run_study.h"

namespace highwater::gui {

LogPage::LogPage(QWidget* parent)
    : Page(parent)
    , m_headline(new Headline(this))
    , m_view(new LogView(this))
{
    auto* bar = named(new QFrame(this), "verdict", tr("What is wrong with the run"));
    layRow(bar, {{m_headline, 1}}, {{16, 3, 16, 3}});
    layColumn(this, {bar, {m_view, 1}});
    connect(m_view, &LogView::settled, this, &LogPage::settled);
    connect(m_view, &LogView::noteRequested, this, [this] { emit noteRequested(noteHere()); });
}

void LogPage::show(std::shared_ptr<const Document> document)
{
    m_document = std::move(document);
    m_view->showLog(
        qtPath(m_document->path), ClockedTrace{m_document->imported.trace, m_document->fileName(), 0});
    m_headline->setText(tr("Analysing the log…"), {});
    emit changed();
}

void LogPage::showDiagnosis(const RunStudy* run)
{
    if (!run || !m_document || &run->trace() != &m_document->trace())
        return;
    const Diagnosis& diagnosis = run->diagnosis();
    m_headline->setText(toQString(diagnosis.sentence), toQString(diagnosis.detail));
}

std::vector<NoteSubject> LogPage::subjects() const
{
    return m_document ? std::vector{NoteSubject{NoteRun::After, m_document, nullptr}}
                      : std::vector<NoteSubject>();
}

bool LogPage::isSettled() const
{
    return m_view->isSettled();
}

void LogPage::setColors(const ThemeColors& colors)
{
    m_view->setColors(colors);
}

void LogPage::takeFocus()
{
    m_view->lines().setFocus();
}

void LogPage::showNotes(const Notes& notes, int)
{
    m_view->showNotes(notes, {NoteRun::After, m_document, nullptr});
}

Note LogPage::noteHere() const
{
    Note note = m_view->noteHere().value_or(Note());
    note.file.clear();
    return note;
}

bool LogPage::goTo(const Note& note)
{
    const auto* line = std::get_if<NotedLine>(&note.place);
    const bool isHere = line && note.run == NoteRun::After
        && (note.file.empty() || QString::fromStdString(note.file) == m_view->fileName());
    if (isHere)
        m_view->goToLine(line->line);
    return isHere;
}

} // namespace highwater::gui

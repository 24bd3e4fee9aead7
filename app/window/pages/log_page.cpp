#include "app/window/pages/log_page.h"

#include <QLabel>
#include <QListView>
#include <QTabWidget>

#include "app/views/findings/findings_view.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/import_log_view.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/first_page_words.h"
#include "core/study/diagnosis/clean_words.h"
#include "core/study/next_step.h"
#include "core/study/run_study.h"

namespace highwater::gui {

namespace {

/// Returns the cause of the failure and the next step, in the words of the report and of the list of
/// findings, which is a tab away; empty if there is nothing to do.
QString adviceOf(const RunStudy& run)
{
    const Finding* finding = firstToAct(run);
    if (!finding)
        finding = run.findingAt(run.diagnosis().opportunity);
    if (!finding || finding->remedy.action.empty())
        return {};
    std::string text = causeWords(run);
    appendSentence(text, "Next: " + adviceText(*finding, &run));
    return toQString(text);
}

} // namespace

LogPage::LogPage(const RunState& run, QWidget* parent)
    : Page(parent)
    , m_verdict(new VerdictBar(this))
    , m_advice(named(new QLabel(this), "advice", tr("Cause and next step")))
    , m_view(new LogView(this))
    , m_findings(new FindingsView(run, m_noBands))
{
    m_view->tabs().addTab(m_findings, tr("Findings"));
    m_view->tabs().setTabToolTip(1, tr("Problems of the run, with evidence and next steps"));
    makeSelectable(*m_advice, Qt::PlainText);
    m_advice->hide();
    layColumn(this, {m_verdict, m_advice, {m_view, 1}});
    connectParts();
}

void LogPage::connectParts()
{
    connect(m_view, &LogView::settled, this, &LogPage::settled);
    connect(m_view, &LogView::noteRequested, this, [this] { emit noteRequested(noteHere()); });
    connect(m_verdict, &VerdictBar::lineRequested, m_view, &LogView::goToLine);
    connect(m_verdict, &VerdictBar::findingsRequested, this,
        [this] { m_view->tabs().setCurrentWidget(m_findings); });
    connect(m_verdict, &VerdictBar::remarksRequested, this,
        [this] { ImportLogView(toQString(m_document->fileName()), m_document->trace().log, this).exec(); });
    connect(m_findings, &FindingsView::logLineRequested, m_view, &LogView::goToLine);
    connect(m_findings, &FindingsView::manualRequested, this, &LogPage::manualRequested);
    connect(m_findings, &FindingsView::noteRequested, this, &LogPage::noteRequested);
}

void LogPage::show(std::shared_ptr<const Document> document)
{
    m_document = std::move(document);
    m_view->showLog(
        qtPath(m_document->path), ClockedTrace{m_document->imported.trace, m_document->fileName(), 0});
    m_verdict->showFindings(nullptr);
    m_verdict->showLog(*m_document, {});
    m_advice->hide();
    m_view->showTab(1, false);
    takeFocus();
    emit changed();
}

void LogPage::showDiagnosis(const RunStudy* run)
{
    if (!run || !m_document || &run->trace() != &m_document->trace())
        return;
    m_verdict->showFindings(run);
    m_verdict->showLog(*m_document, run->diagnosis());
    m_view->showTab(1, run->faultCount() > 0);
    m_advice->setText(adviceOf(*run));
    m_advice->setVisible(!m_advice->text().isEmpty());
}

const Headline& LogPage::headline() const
{
    return m_verdict->headline();
}

std::vector<NoteSubject> LogPage::subjects() const
{
    return onlySubject(m_document);
}

bool LogPage::isSettled() const
{
    return m_view->isSettled();
}

void LogPage::setColors(const ThemeColors& colors)
{
    m_verdict->setColors(colors);
    m_view->setColors(colors);
    m_findings->setColors(colors);
}

void LogPage::takeFocus()
{
    const bool hasText = m_view->lines().isVisibleTo(m_view);
    (hasText ? &m_view->lines() : m_view->tabs().currentWidget())->setFocus();
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

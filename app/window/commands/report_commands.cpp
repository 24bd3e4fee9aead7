#include "app/window/commands/report_commands.h"

#include <QAction>

#include "app/views/pages/page_stack.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/actions.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/notes/note_list.h"
#include "app/workspace/view/capacity_choices.h"

namespace highwater::gui {

ReportCommands::ReportCommands(Actions& actions, ReportView& view, const Sources& sources, QObject* parent)
    : QObject(parent)
    , m_actions(actions)
    , m_view(view)
    , m_sources(sources)
{
    connect(m_actions.report, &QAction::triggered, this,
        [this] { m_sources.pages.isCoveredBy(m_view) ? hide() : show(); });
    connect(&m_view, &ReportView::closeRequested, this, &ReportCommands::hide);
    connectSources();
    enableCommand();
}

void ReportCommands::connectSources()
{
    const auto refresh = [this] { this->refresh(); };
    connect(&m_sources.pages, &PageStack::changed, this, &ReportCommands::enableCommand);
    connect(&m_sources.page.auxiliarySources(), &AuxiliarySources::sourcesChanged, this, refresh);
    connect(&m_sources.session, &RunSession::changed, this, refresh);
    connect(&m_sources.capacities, &CapacityChoices::changed, this, refresh);
    connect(&m_sources.page.run(), &RunState::configurationChanged, this, refresh);
    connect(&m_sources.page.run(), &RunState::changed, this, refresh);
    connect(&m_sources.notes, &NoteList::changed, this, refresh);
}

void ReportCommands::enableCommand()
{
    const bool isShown = m_sources.pages.isCoveredBy(m_view);
    m_actions.report->setEnabled(isShown || m_sources.pages.current().isReportable());
    refresh();
}

/// Updates the report, but only while it is on screen.
void ReportCommands::refresh()
{
    if (!m_sources.pages.isCoveredBy(m_view))
        return;
    m_view.session().setNotes(m_sources.notes.notes());
    m_view.setSubject(subject());
}

void ReportCommands::show()
{
    if (m_sources.pages.isCoveredBy(m_view) || !m_sources.pages.current().isReportable())
        return;
    m_view.session().setNotes(m_sources.notes.notes());
    m_view.setSubject(subject());
    m_sources.pages.cover(m_view);
}

void ReportCommands::hide()
{
    if (m_sources.pages.isCoveredBy(m_view))
        m_sources.pages.uncover();
}

ReportSubject ReportCommands::subject() const
{
    ReportSubject subject;
    if (!m_sources.pages.current().isReportable())
        return subject;
    const std::vector<NoteSubject> runs = m_sources.pages.current().subjects();
    subject.run = runOf(runs.back());
    subject.moments = m_sources.pages.current().comparedMoments();
    if (runs.size() > 1 && !subject.moments)
        subject.before = runOf(runs.front());
    subject.isPending = m_sources.page.run().isBusy();
    return subject;
}

ReportedRun ReportCommands::runOf(const NoteSubject& subject) const
{
    ReportedRun run;
    run.analysis = subject.analysis;
    if (subject.document == m_sources.page.document()) {
        const RunState& shown = m_sources.page.run();
        run.files = m_sources.session.sources();
        run.main = m_sources.session.main();
        // Thousands of summaries are reported together, not one by one.
        std::erase_if(run.files, [](const RunSource& source) {
            return source.file.format == toText(TraceKind::RankSummary) && !source.file.trace
                && source.file.error.empty();
        });
        run.ranks = m_sources.session.run().ranks();
        if (run.ranks && run.ranks->ranks.size() < 2)
            run.ranks = nullptr;
        run.configuration = shown.configuration();
        if (subject.analysis == m_sources.page.analysis() && shown.configurationTrouble().empty())
            run.study = shown.study();
    }
    if (run.files.empty())
        run.files = {sourceOf(*subject.document)};
    run.capacity = m_sources.capacities.of(QString::fromStdString(subject.document->path));
    return run;
}

} // namespace highwater::gui

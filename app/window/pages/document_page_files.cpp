#include <algorithm>
#include <utility>

#include "app/views/findings/findings_view.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/import_log_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/ranks/ranks_view.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/ranks/merged_rank.h"
#include "core/analysis/usage/matching_range.h"

// The other files of the run: its ranks and its log.

namespace highwater::gui {

namespace {

/// Returns the index of the step that the ranks of a run call by this number.
std::optional<std::size_t> stepWithNumber(const StepTable& table, std::int64_t number)
{
    std::int64_t position = 0;
    for (std::size_t i = 0; i < table.steps.size(); ++i) {
        SummaryStep step;
        step.name = table.steps[i].name;
        if (table.steps[i].isCounted() && stepNumber(step, position++) == number)
            return i;
    }
    return std::nullopt;
}

} // namespace

void DocumentPage::connectFiles()
{
    connect(m_ranks, &RanksView::fileRequested, this,
        [this](int file) { m_session.show(static_cast<std::size_t>(file)); });
    connect(m_ranks, &RanksView::stepRequested, this, [this](int file, qint64 number, bool zooms) {
        goToStepOf(static_cast<std::size_t>(file), number, zooms);
    });
    connect(&m_session, &RunSession::changed, this, &DocumentPage::showFiles);
    connect(&m_auxiliarySources, &AuxiliarySources::sourcesChanged, this, &DocumentPage::showLog);
    connect(m_findings, &FindingsView::logLineRequested, this, &DocumentPage::goToLogLine);
    connect(m_findings, &FindingsView::manualRequested, this, &DocumentPage::manualRequested);
    connect(&m_selection, &Selection::cursorChanged, this, [this] {
        const std::optional<std::int64_t> event = m_selection.cursor();
        if (!event || !m_analysis || !m_log->isVisible())
            return;
        const EventScale& times = m_analysis->scale(AxisKind::Time);
        m_log->followTimeline(times.origin() + static_cast<Nanoseconds>(times.positionOf(*event)));
    });
    showFiles();
}

void DocumentPage::showInPlace(std::shared_ptr<const Document> document)
{
    const std::shared_ptr<const DeviceAnalysis> before = m_analysis;
    const AxisKind axis = m_axis;
    const AxisWindow x = m_visibleRange.x();
    const AxisWindow y = m_visibleRange.y();
    show(std::move(document));
    if (!before || !m_analysis || m_axis != axis || (x.isWhole() && y.isWhole()))
        return;
    const auto [begin, end] = matchingRange(before->scale(axis), scale(), x.begin, x.end);
    const AxisWindow& whole = m_visibleRange.y();
    m_visibleRange.show(
        begin, end, y.isWhole() ? whole.lowest : y.begin, y.isWhole() ? whole.highest : y.end);
}

void DocumentPage::showFiles()
{
    m_ranks->setShown(m_session.shown());
    m_panelTabs->setOffered(m_ranks, m_session.hasRanks(), tr("Open a folder of ranks to compare them"));
    m_auxiliarySources.setSources(m_session.auxiliaryFiles());
    m_run.setFiles(m_session.sources());
    showLog();
    goToWantedStep();
}

void DocumentPage::goToStepOf(std::size_t file, std::int64_t number, bool zooms)
{
    m_wantedStep = WantedStep{file, number, zooms};
    m_session.show(file);
    goToWantedStep();
}

/// Goes to the wanted step if its file is on screen, and forgets it if another file is wanted instead.
void DocumentPage::goToWantedStep()
{
    if (!m_wantedStep
        || (m_session.shown() != m_wantedStep->file && m_session.wanted() == m_wantedStep->file))
        return;
    const WantedStep wanted = *std::exchange(m_wantedStep, std::nullopt);
    if (!m_analysis || m_session.shown() != wanted.file)
        return;
    const std::optional<std::size_t> step = stepWithNumber(m_analysis->steps, wanted.number);
    if (!step)
        return;
    runOnStep(*step, StepCommand::Select);
    if (wanted.zooms)
        runOnStep(*step, StepCommand::Zoom);
}

/// Shows the first log among the other files of the run.
void DocumentPage::showLog()
{
    const auto log = std::ranges::find_if(m_auxiliarySources.sources(),
        [](const AuxiliarySource& source) { return isLog(*source.trace.trace); });
    const bool hasLog = log != m_auxiliarySources.sources().end();
    if (hasLog)
        m_log->showLog(log->path, log->trace);
    else
        m_log->showLog({}, {});
    m_panelTabs->setOffered(m_log, hasLog, tr("Open the log of the run together with the recording"));
}

void DocumentPage::goToLogLine(quint64 line)
{
    m_panelTabs->open(m_log->objectName());
    m_log->goToLine(line);
}

void DocumentPage::showRemarks()
{
    ImportLogView(toQString(m_document->fileName()), m_document->trace().log, this).exec();
}

} // namespace highwater::gui

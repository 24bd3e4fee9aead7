#include <algorithm>
#include <utility>

#include <QSettings>

#include "app/timeline/lane_strip.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/timeline_markers.h"
#include "app/views/findings/findings_view.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/ranks/ranks_view.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/pages/analysis_panels.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/view/capacity_choices.h"

// The findings, the quantity of bytes and the capacity that it is compared with; also saves the layout.

namespace highwater::gui {

namespace {
const char* const kOwnHeights = "ownPanelHeight";
const char* const kDetailsWanted = "detailsWanted";
}

void DocumentPage::connectAnalysisSettings()
{
    connect(&m_analysisSettings, &AnalysisSettings::shownChanged, this, &DocumentPage::showNewAnalysis);
    connect(&m_analysisSettings, &AnalysisSettings::busyChanged, this, &DocumentPage::statusChanged);
    connect(&m_analysisSettings, &AnalysisSettings::busyChanged, this, &DocumentPage::changed);
}

void DocumentPage::connectAuxiliarySources()
{
    m_timeline->showAuxiliarySources(m_auxiliarySources);
    connect(&m_auxiliarySources, &AuxiliarySources::linesChanged, this, [this] {
        if (m_analysis)
            setLimitsKeepingView();
        m_timeline->replotLater();
        emit settled();
    });
}

void DocumentPage::connectFindings()
{
    m_findings = m_panelTabs->findChild<FindingsView*>();
    const auto open = [this](const QString& name) { m_panelTabs->open(name); };
    connect(m_verdict, &VerdictBar::findingsRequested, this, [open] { open(QStringLiteral("summary")); });
    connect(m_findings, &FindingsView::viewRequested, this, open);
    connect(m_findings, &FindingsView::fixPointedAt, &m_fix, &FixPreview::pointAt);
    connect(m_findings, &FindingsView::fixChosen, &m_fix, &FixPreview::keep);
    connect(m_verdict, &VerdictBar::fixPointedAt, &m_fix, &FixPreview::pointAt);
    connect(&m_fix, &FixPreview::changed, m_timeline, [this] { m_timeline->showFix(m_fix.shown()); });
    connect(&m_run, &RunState::started, this, &DocumentPage::showFindings);
    connect(&m_run, &RunState::changed, this, [this] {
        showStudiedCapacity();
        showFindings();
        emit settled();
    });
}

/// Shows the findings of the study, or none while the study is null, because it is being made.
void DocumentPage::showFindings()
{
    const RunStudy* const study = m_run.study().get();
    m_verdict->showFindings(study);
    m_ranks->showFindings(study);
    m_details->setRun(m_run.study());
}

/// Shows another device in the selected quantity as soon as that is computed.
void DocumentPage::takeDevice()
{
    m_analysisSettings.setDevice(m_analysis);
    m_analysis = m_analysisSettings.shown();
    m_auxiliarySources.setAnalysis(m_analysis);
    m_run.show(m_document, m_analysis, chosenCapacity());
    m_withCapacity = false;
    if (m_analysis)
        applyCapacity();
}

/// Allocations have the same indices in every quantity, so selection, range and view are kept.
void DocumentPage::showNewAnalysis()
{
    m_analysis = m_analysisSettings.shown();
    m_auxiliarySources.setAnalysis(m_analysis);
    m_bandView.setAnalysis(m_analysis);
    m_search.setAnalysis(m_analysis);
    setLimitsKeepingView();
    followView();
    showVerdict();
    m_lanes->show(m_analysis, m_axis);
    m_timeline->show(m_analysis, m_axis);
    m_overview->show(m_analysis, m_axis);
    m_details->show(m_analysis);
    m_run.show(m_document, m_analysis, chosenCapacity());
    m_panelTabs->showDevice(m_analysis);
    if (const auto& range = m_selection.range())
        m_rangePanel->show(m_analysis, range->first, range->second, m_selection.rangeName());
    emit statusChanged();
    emit changed();
}

void DocumentPage::showVerdict()
{
    m_verdict->show(*m_document, *m_analysis, m_capacity);
}

void DocumentPage::setCapacityChoices(const CapacityChoices& choices)
{
    m_capacityChoices = &choices;
    connect(&choices, &CapacityChoices::changed, this, [this] {
        if (!m_analysis)
            return;
        applyCapacity();
        setLimitsKeepingView();
        showVerdict();
        emit changed();
    });
}

/// Chosen GPUs apply to devices, not to the host.
std::optional<DeviceCapacity> DocumentPage::chosenCapacity() const
{
    const bool isHost = !m_analysis || m_analysis->info().kind == DeviceKind::HostPinned;
    return m_capacityChoices && !isHost ? m_capacityChoices->of(QString::fromStdString(m_document->path))
                                        : std::nullopt;
}

/// Shows the capacity again if the study found it in a log of the run.
void DocumentPage::showStudiedCapacity()
{
    const std::optional<DeviceCapacity> shown = m_capacity;
    if (m_analysis)
        applyCapacity();
    if (!m_analysis || m_capacity == shown)
        return;
    setLimitsKeepingView();
    showVerdict();
}

/// Uses the capacity chosen for the file, else the limit or capacity from a log of the run, else the capacity
/// of the file.
void DocumentPage::applyCapacity()
{
    m_capacity = chosenCapacity();
    m_run.setCapacity(m_capacity);
    const RunStudy* const study = m_run.study().get();
    const std::optional<DeviceCapacity> limit = study ? study->memoryLimit() : std::nullopt;
    if (!m_capacity && limit
        && (limit->source == CapacitySource::Log || limit->source == CapacitySource::ProcessLimit))
        m_capacity = limit;
    if (!m_capacity)
        m_capacity = m_analysis->capacity;
    if (!m_capacity)
        m_withCapacity = false;
    m_timeline->markers().setCapacity(m_capacity);
    m_panelTabs->setCapacity(m_capacity);
    m_timeline->replotLater();
}

/// Returns the bytes that the y axis must reach when the whole trace is in view. The capacity is among them
/// if the user asked for it or if it is near; the overview then includes it too.
Bytes DocumentPage::highestShown()
{
    const DeviceFigures& figures = m_analysis->figures;
    const Bytes highest = std::max(
        {figures.peakBytes, figures.reservedPeakBytes, m_auxiliarySources.highestShown(), Bytes{1}});
    const bool includes = m_capacity && (m_withCapacity || isNear(*m_capacity, highest));
    m_overview->setCapacity(includes ? std::optional(m_capacity->bytes) : std::nullopt);
    return includes ? std::max(highest, m_capacity->bytes) : highest;
}

void DocumentPage::setLimitsKeepingView()
{
    const AxisWindow x = m_visibleRange.x();
    const AxisWindow y = m_visibleRange.y();
    setLimits();
    m_visibleRange.show(x.begin, x.end, y.begin, y.isWhole() ? m_visibleRange.y().highest : y.end);
}

void DocumentPage::fitWithCapacity()
{
    if (!m_analysis || !m_capacity)
        return;
    m_history.beginJump();
    m_withCapacity = true;
    setLimits();
}

void DocumentPage::forgetFitWithCapacity()
{
    if (!std::exchange(m_withCapacity, false))
        return;
    setLimitsKeepingView();
}

void DocumentPage::saveLayout(QSettings& settings) const
{
    savePanelLayout(settings, *m_panelTabs, *this);
    settings.setValue(kOwnHeights, m_ownHeights);
    settings.setValue(kDetailsWanted, m_wantsDetails);
}

void DocumentPage::restoreLayout(const QSettings& settings)
{
    restorePanelLayout(settings, *m_panelTabs, *this);
    m_ownHeights = settings.value(kOwnHeights, false).toBool();
    setDetailsWanted(settings.value(kDetailsWanted, true).toBool());
}

void DocumentPage::setPeakSoFarShown(bool shown)
{
    m_timeline->markers().setPeakSoFarShown(shown);
    m_timeline->replotLater();
}

} // namespace highwater::gui

#include "app/window/pages/document_page.h"

#include <algorithm>

#include <QSplitter>

#include "app/timeline/lane_strip.h"
#include "app/timeline/overview_strip.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/views/ranks/ranks_view.h"
#include "app/views/side_panel/auxiliary_panel.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/pages/analysis_panels.h"
#include "app/workspace/document/run_session.h"

namespace highwater::gui {

namespace {
/// Narrowest view of each axis, in its unit.
constexpr double kNarrowestEvents = 4;
constexpr double kNarrowestNanoseconds = 1000;
constexpr double kNarrowestSteps = 0.002;
/// Factor that leaves room above the highest line for its label.
constexpr double kHeadroom = 1.08;
/// Share of the trace that is shown after going somewhere from a view of more than half of it.
constexpr double kGotoShare = 0.1;
} // namespace

DocumentPage::DocumentPage(RunSession& session, QWidget* parent)
    : Page(parent)
    , m_session(session)
    , m_history(m_visibleRange)
    , m_verdict(new VerdictBar(this))
    , m_searchBar(new SearchBar(m_search, m_selection, this))
    , m_lanes(new LaneStrip(m_visibleRange, this))
    , m_timeline(new TimelinePlot(m_visibleRange, m_selection, m_bandView, this))
    , m_overview(new OverviewStrip(m_visibleRange, this))
    , m_legend(new LegendBar(m_selection, m_bandView, this))
    , m_timelineArea(new QWidget(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_panelTabs(new PanelTabs(this))
    , m_side(new QFrame(this))
    , m_rangePanel(new RangePanel(m_side))
    , m_auxiliaryPanel(new AuxiliaryPanel(m_auxiliarySources, m_selection, m_side))
    , m_details(new DetailsPanel(m_selection, m_side))
{
    setObjectName(QStringLiteral("documentPage"));
    m_bandView.preferMode(BandMode::Site);
    layOut();
    connectParts();
    connectSearchAndRange();
    connectPanelTabs();
    connectAnalysisSettings();
    connectAuxiliarySources();
    connectFiles();
    connectNotes();
}

void DocumentPage::connectParts()
{
    connect(m_timeline, &TimelinePlot::plotEdgesChanged, m_overview, &OverviewStrip::setEdges);
    connect(m_timeline, &TimelinePlot::plotEdgesChanged, m_lanes, &LaneStrip::setEdges);
    connect(m_verdict, &VerdictBar::eventRequested, this, &DocumentPage::goToMoment);
    connect(m_verdict, &VerdictBar::remarksRequested, this, &DocumentPage::showRemarks);
    connect(&m_visibleRange, &VisibleRange::changed, this, &DocumentPage::statusChanged);
    connect(&m_selection, &Selection::chosenChanged, this, &DocumentPage::statusChanged);
    connect(&m_selection, &Selection::pointedChanged, this, &DocumentPage::statusChanged);
}

void DocumentPage::connectSearchAndRange()
{
    connect(m_lanes, &LaneStrip::zoomTo, this, &DocumentPage::zoomTo);
    connect(
        &m_search, &AllocationSearch::changed, this, [this] { m_bandView.setMatches(m_search.result()); });
    connect(m_searchBar, &SearchBar::goTo, this, &DocumentPage::showAllocation);
    connect(m_searchBar, &SearchBar::matchLeft, &m_selection, &Selection::release);
    connect(m_searchBar, &SearchBar::dismissed, m_timeline, qOverload<>(&QWidget::setFocus));
    connect(m_details, &DetailsPanel::searchRequested, this, [this](const QString& text) {
        m_bandView.setHighlighted(nullptr); // it would hide the matches
        m_search.setText(text);
        m_search.setWindow(AllocationSearch::Window::Anywhere);
    });
    connect(m_rangePanel, &RangePanel::eventRequested, this, &DocumentPage::goToMoment);
    connect(m_rangePanel, &RangePanel::zoomRequested, this, &DocumentPage::zoomTo);
    connect(m_rangePanel, &RangePanel::cleared, this, [this] { m_selection.setRange(std::nullopt); });
    connect(&m_selection, &Selection::rangeChanged, this, [this] {
        if (const auto& range = m_selection.range())
            m_rangePanel->show(m_analysis, range->first, range->second, m_selection.rangeName());
        else
            m_rangePanel->clear();
    });
    connect(&m_visibleRange, &VisibleRange::changed, this, &DocumentPage::followView);
    connect(&m_history, &ViewHistory::restore, this, &DocumentPage::restore);
    connect(&m_selection, &Selection::highlightChanged, this,
        [this] { m_bandView.setHighlighted(m_selection.highlight().members, m_selection.highlight().name); });
    connect(&m_bandView, &BandView::changed, this, [this] {
        const BandView::Highlight& members = m_bandView.highlighted();
        m_selection.setHighlight({members, members ? m_bandView.highlightName() : QString()});
        if (isVisible()) // the highlight also changes while the window closes
            m_history.setHighlight(m_bandView.highlighted(), m_bandView.highlightName());
    });
    connect(m_timeline, &TimelinePlot::highlightClosed, this, &DocumentPage::endHighlight);
}

void DocumentPage::connectPanelTabs()
{
    addAnalysisPanels(*m_panelTabs, {m_run, m_session.run(), m_selection, m_bandView, m_analysisSettings});
    m_ranks = m_panelTabs->findChild<RanksView*>();
    m_log = m_panelTabs->findChild<LogView*>();
    connectFindings();
    connectSteps();
    connect(m_panelTabs, &PanelTabs::eventRequested, this, &DocumentPage::goToMoment);
    connect(m_panelTabs, &PanelTabs::viewOfEventRequested, this, &DocumentPage::bringIntoView);
    connect(m_panelTabs, &PanelTabs::rangeRequested, this, &DocumentPage::zoomTo);
    connect(m_panelTabs, &PanelTabs::allocationRequested, this, &DocumentPage::showAllocation);
    connect(m_panelTabs, &PanelTabs::allocationPinned, this, &DocumentPage::pinHere);
    connect(m_panelTabs, &PanelTabs::timelineWanted, this, &DocumentPage::showTimeline);
    connect(m_panelTabs, &PanelTabs::extentChanged, this, &DocumentPage::applyExtent);
    connect(m_panelTabs, &PanelTabs::settled, this, &DocumentPage::settled);
    connect(m_timeline, &TimelinePlot::settled, this, &DocumentPage::settled);
    applyExtent();
}

bool DocumentPage::isSettled() const
{
    // Without an open panel the page is complete before its findings are.
    const AnalysisPanel* const open = m_panelTabs->openName().isEmpty() ? nullptr : m_panelTabs->current();
    return !(open && m_run.isBusy()) && !m_analysisSettings.isBusy() && !m_auxiliarySources.isBusy()
        && m_timeline->isSettled() && (!open || open->isSettled());
}

/// Passes the events in view to the search and the selection.
void DocumentPage::followView()
{
    if (!m_analysis)
        return;
    const std::int64_t first = std::max<std::int64_t>(0, scale().eventAt(m_visibleRange.x().begin));
    const std::int64_t last = std::max(first, scale().firstEventFrom(m_visibleRange.x().end));
    m_search.setView(first, last);
    m_selection.setView(Selection::EventRange{first, last});
}

void DocumentPage::show(std::shared_ptr<const Document> document)
{
    m_document = std::move(document);
    m_analysis = m_document->mainDevice ? m_document->devices[*m_document->mainDevice] : nullptr;
    showDevice();
    if (m_analysis)
        m_history.restart(m_axis, m_analysis->device);
}

void DocumentPage::setDevice(DeviceIndex device)
{
    if (!m_document || device >= m_document->devices.size() || (m_analysis && m_analysis->device == device))
        return;
    m_analysis = m_document->devices[device];
    showDevice();
}

void DocumentPage::showDevice()
{
    m_selection.clear();
    takeDevice();
    emit sideChanged();
    if (!m_analysis) {
        emit changed();
        return;
    }
    if (!m_analysis->hasAxis(m_axis))
        m_axis = AxisKind::Event;
    m_bandView.setAnalysis(m_analysis);
    m_search.setAnalysis(m_analysis);
    m_history.setSubject(m_axis, m_analysis->device);
    setLimits();
    followView();
    showVerdict();
    m_lanes->show(m_analysis, m_axis);
    m_timeline->show(m_analysis, m_axis);
    m_overview->show(m_analysis, m_axis);
    m_details->show(m_analysis);
    m_panelTabs->showDevice(m_analysis);
    emit statusChanged();
    emit changed();
}

void DocumentPage::setLimits()
{
    const EventScale& axis = scale();
    m_visibleRange.setLimits(axis.begin(), axis.end(),
        m_axis == AxisKind::Event      ? kNarrowestEvents
            : m_axis == AxisKind::Time ? kNarrowestNanoseconds
                                       : kNarrowestSteps,
        static_cast<double>(highestShown()) * kHeadroom);
}

void DocumentPage::setAxis(AxisKind axis)
{
    if (!m_analysis || axis == m_axis || !m_analysis->hasAxis(axis))
        return;
    const bool showsWhole = m_visibleRange.x().isWhole();
    const std::int64_t first = scale().firstEventFrom(m_visibleRange.x().begin);
    const std::int64_t last = scale().eventAt(m_visibleRange.x().end);
    m_axis = axis;
    m_history.setSubject(m_axis, m_analysis->device);
    setLimits();
    if (!showsWhole)
        m_visibleRange.setX(scale().positionOf(first), scale().positionOf(last));
    m_lanes->show(m_analysis, m_axis);
    m_timeline->show(m_analysis, m_axis);
    m_overview->show(m_analysis, m_axis);
    emit statusChanged();
    emit changed();
}

void DocumentPage::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_verdict->setColors(colors);
    m_searchBar->setColors(colors);
    m_lanes->setColors(colors);
    m_rangePanel->setColors(colors);
    m_timeline->setColors(colors);
    m_overview->setColors(colors);
    m_legend->setColors(colors);
    m_details->setColors(colors);
    m_auxiliarySources.setColors(colors);
    m_panelTabs->setColors(colors);
}

void DocumentPage::goTo(std::int64_t event)
{
    if (!m_analysis || event >= m_analysis->allocations.eventCount())
        return;
    goToMoment(event);
    m_selection.pin(event < 0 ? Selection::kNone : m_analysis->allocations.ofEvent(event));
}

void DocumentPage::goToMoment(std::int64_t event)
{
    if (!m_analysis || event >= m_analysis->allocations.eventCount())
        return;
    m_timeline->ignoreMouseUntilMoved();
    m_history.beginJump();
    const AxisWindow& x = m_visibleRange.x();
    const double whole = x.highest - x.lowest;
    const double width = x.width() > whole / 2 ? whole * kGotoShare : x.width();
    const double middle = scale().positionOf(event);
    m_visibleRange.setX(middle - width / 2, middle + width / 2);
    m_selection.release();
    m_selection.setCursor(event);
}

void DocumentPage::goTo(const GoToTarget& target)
{
    if (target.step)
        return goToStep(*target.step);
    goToMoment(target.event);
    if (target.allocation != Selection::kNone)
        m_selection.pin(target.allocation);
}

void DocumentPage::pinHere(AllocationIndex allocation)
{
    if (m_analysis && allocation < m_analysis->allocations.size())
        m_selection.pin(allocation);
}

void DocumentPage::zoomTo(std::int64_t first, std::int64_t last)
{
    if (!m_analysis)
        return;
    m_history.beginJump();
    const EventScale& axis = scale();
    const double end = last < axis.eventCount() ? axis.positionOf(last) : axis.end();
    m_visibleRange.setX(axis.positionOf(first), end);
}

void DocumentPage::showAllocation(AllocationIndex allocation)
{
    if (!m_analysis || allocation == Selection::kNone)
        return;
    m_history.beginJump();
    bringIntoView(m_analysis->allocations.birth(allocation));
    m_selection.pin(allocation);
}

void DocumentPage::fit()
{
    m_history.beginJump();
    forgetFitWithCapacity();
    m_visibleRange.fit();
}

void DocumentPage::fitHeight()
{
    if (!m_analysis || m_analysis->allocations.eventCount() == 0)
        return;
    m_history.beginJump();
    const AxisWindow& x = m_visibleRange.x();
    const std::int64_t first = std::max<std::int64_t>(-1, scale().eventAt(x.begin));
    const std::int64_t last = std::max(first + 1, scale().firstEventFrom(x.end));
    const Bytes most = std::max<Bytes>(1, m_analysis->curve.peak(first, last).bytes);
    m_visibleRange.show(x.begin, x.end, 0, static_cast<double>(most) * kHeadroom);
}

void DocumentPage::restore(const View& view)
{
    setDevice(view.device);
    setAxis(view.axis);
    m_visibleRange.show(view.xBegin, view.xEnd, view.yBottom, view.yTop);
    m_bandView.setHighlighted(view.highlight, view.highlightName);
}

void DocumentPage::release()
{
    m_timeline->ignoreMouseUntilMoved(); // otherwise the band under the mouse would seem selected
    if (m_fix.kept())
        m_fix.keep(std::nullopt);
    else if (m_selection.kind() != Selection::Kind::Nothing)
        releaseSelected();
    else
        endHighlight();
    // The other end of the status bar says what is still selected.
    const bool isSearchNext = m_search.result() && m_selection.kind() == Selection::Kind::Nothing
        && !m_bandView.hasChosenGroups();
    emit said(isSearchNext ? tr("Esc again ends the search") : QString());
}

void DocumentPage::endHighlight()
{
    if (m_bandView.highlighted())
        m_bandView.setHighlighted(nullptr);
    else if (m_bandView.hasChosenGroups())
        m_bandView.clearEmphasis();
    else
        m_search.clear();
}

void DocumentPage::goToPeak()
{
    if (m_analysis)
        goToMoment(m_analysis->figures.peakEvent);
}

void DocumentPage::goToStep(std::size_t step)
{
    if (!m_analysis || step >= m_analysis->steps.steps.size())
        return;
    goToMoment(m_analysis->steps.steps[step].peakEvent);
    selectStep(step);
}

void DocumentPage::goToNeighbourStep(int by)
{
    if (!m_analysis || m_analysis->steps.steps.empty())
        return;
    const StepTable& table = m_analysis->steps;
    const std::int64_t start = m_selection.view() ? m_selection.view()->first : 0;
    const std::int64_t at = std::max<std::int64_t>(0, m_selection.cursor().value_or(start));
    const auto here = static_cast<std::int64_t>(table.stepOf(at).value_or(0));
    const auto last = static_cast<std::int64_t>(table.steps.size()) - 1;
    zoomToStep(static_cast<std::size_t>(std::clamp<std::int64_t>(here + by, 0, last)));
}

void DocumentPage::zoomToStep(std::size_t step)
{
    if (!m_analysis || step >= m_analysis->steps.steps.size())
        return;
    const Step& chosen = m_analysis->steps.steps[step];
    zoomTo(chosen.begin, chosen.end);
    selectStep(step);
}

void DocumentPage::goToNextOutOfMemory()
{
    if (!m_analysis || m_analysis->figures.ooms.empty())
        return;
    const std::vector<OomEvent>& ooms = m_analysis->figures.ooms;
    const std::int64_t after = m_selection.cursor().value_or(-1);
    const auto next
        = std::find_if(ooms.begin(), ooms.end(), [&](const OomEvent& oom) { return oom.event > after; });
    goToMoment(next == ooms.end() ? ooms.front().event : next->event);
}

void DocumentPage::zoom(double factor)
{
    m_visibleRange.zoomX(m_timeline->zoomCentre(), factor);
}

void DocumentPage::pan(double shareOfView)
{
    m_visibleRange.pan(shareOfView * m_visibleRange.x().width(), 0);
}

} // namespace highwater::gui

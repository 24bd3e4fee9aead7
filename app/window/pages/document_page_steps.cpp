#include <algorithm>

#include "app/timeline/lane_strip.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/steps/steps_view.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/selected_events.h"
#include "core/analysis/composition/step_figures.h"

// Commands on a step, an event or an allocation that involve several parts of the page.

namespace highwater::gui {

void DocumentPage::connectSteps()
{
    m_lanes->setSelection(m_selection);
    connect(m_lanes, &LaneStrip::stepRequested, this, &DocumentPage::runOnStep);
    connect(m_lanes, &LaneStrip::eventsChosen, this, [this](qint64 first, qint64 last, const QString& name) {
        if (last - first > 1)
            m_selection.setRange(Selection::EventRange{first, last}, name);
        else
            m_selection.setCursor(first);
    });
    connect(m_panelTabs->findChild<StepsView*>(), &StepsView::stepRequested, this, &DocumentPage::runOnStep);
    connect(m_lanes, &LaneStrip::comparisonRequested, this, &DocumentPage::stepsCompared);
    connect(m_panelTabs->findChild<StepsView*>(), &StepsView::comparisonRequested, this,
        &DocumentPage::stepsCompared);
    m_timeline->offerViewCommands();
    connect(m_timeline, &TimelinePlot::siteHighlightRequested, this, &DocumentPage::highlightSite);
    connect(m_timeline, &TimelinePlot::momentRequested, this, [this] { showMoment(MomentChoice::Cursor); });
}

void DocumentPage::selectStep(std::size_t step)
{
    if (!m_analysis || step >= m_analysis->steps.steps.size())
        return;
    const Step& chosen = m_analysis->steps.steps[step];
    const EventScale& axis = scale();
    const double begin = axis.positionOf(chosen.begin);
    const double end = chosen.end < axis.eventCount() ? axis.positionOf(chosen.end) : axis.end();
    const AxisWindow& x = m_visibleRange.x();
    if (end <= x.begin || begin >= x.end) {
        m_history.beginJump();
        m_visibleRange.pan((begin + end - x.begin - x.end) / 2, 0);
    }
    m_timeline->ignoreMouseUntilMoved();
    m_selection.selectStep(step, chosen.peakEvent, {chosen.begin, chosen.end});
}

void DocumentPage::bringIntoView(std::int64_t event)
{
    if (!m_analysis)
        return;
    const double at = scale().positionOf(event);
    const AxisWindow& x = m_visibleRange.x();
    if (at < x.begin || at >= x.end)
        m_visibleRange.pan(at - (x.begin + x.end) / 2, 0);
    m_timeline->ignoreMouseUntilMoved();
}

void DocumentPage::runOnStep(std::size_t step, StepCommand command)
{
    if (!m_analysis || step >= m_analysis->steps.steps.size())
        return;
    switch (command) {
    case StepCommand::Select: selectStep(step); break;
    case StepCommand::Zoom:
        zoomTo(m_analysis->steps.steps[step].begin, m_analysis->steps.steps[step].end);
        break;
    case StepCommand::Compare:
        if (const auto first = selectedStep(*m_analysis, m_selection); first && *first != step)
            emit stepsCompared(*first, step);
        else
            selectStep(step);
        break;
    case StepCommand::ShowLeftBehind: showLeftBehind(step); break;
    case StepCommand::ShowLargest: goToLargestAt(m_analysis->steps.steps[step].peakEvent); break;
    case StepCommand::AddNote: emit noteRequested(noteAt(NotedStep{static_cast<std::int64_t>(step)})); break;
    }
}

/// Shows what the step allocated that is still in use one step later: in Moment, and highlighted in the plot.
void DocumentPage::showLeftBehind(std::size_t step)
{
    const Step& chosen = m_analysis->steps.steps[step];
    selectStep(step);
    showMoment(MomentChoice::Survived);
    const LiveSet left = liveSet(m_analysis->live, leftBehindBy(m_analysis->steps, step));
    auto members = std::make_shared<std::vector<bool>>(m_analysis->allocations.size());
    for (const AllocationIndex allocation : left.allocations)
        (*members)[allocation] = true;
    m_bandView.setHighlighted(left.allocations.empty() ? nullptr : std::move(members),
        tr("left behind by %1").arg(toQString(chosen.name)));
}

void DocumentPage::highlightSite(AllocationIndex allocation)
{
    if (!m_analysis)
        return;
    const std::string key = m_analysis->sites.site(m_analysis->sites.of(allocation)).key;
    m_bandView.setHighlighted(std::make_shared<const std::vector<bool>>(
        allocationsOf(m_analysis->sites, m_analysis->allocations, key)));
}

void DocumentPage::showMoment(MomentChoice choice)
{
    auto* const moment = m_panelTabs->findChild<CompositionView*>();
    m_panelTabs->open(QStringLiteral("moment"));
    moment->choose(choice);
}

/// Ends the innermost thing that is selected. With the moment or the range that Moment shows, Moment returns
/// to the moment of all views.
void DocumentPage::releaseSelected()
{
    const bool hadMoment = m_selection.cursor().has_value();
    const bool hadRange = m_selection.range().has_value();
    m_selection.releaseInnermost();
    if ((hadMoment && !m_selection.cursor()) || (hadRange && !m_selection.range()))
        m_panelTabs->findChild<CompositionView*>()->choose(MomentChoice::Cursor);
}

void DocumentPage::goToLargest()
{
    if (!m_analysis)
        return;
    const AllocationTable& allocations = m_analysis->allocations;
    AllocationIndex largest = 0;
    for (AllocationIndex i = 1; i < allocations.size(); ++i)
        if (allocations.bytes(i) > allocations.bytes(largest))
            largest = i;
    if (allocations.size() > 0)
        showAllocation(largest);
}

void DocumentPage::goToLargestAtPeak()
{
    if (m_analysis)
        goToLargestAt(m_analysis->figures.peakEvent);
}

/// Goes to the event, and pins the largest allocation that is in use right after it.
void DocumentPage::goToLargestAt(std::int64_t event)
{
    std::vector<AllocationIndex> live;
    m_analysis->live.liveAt(event, live);
    const auto largest = std::ranges::max_element(
        live, {}, [this](AllocationIndex index) { return m_analysis->allocations.bytes(index); });
    if (largest == live.end())
        return;
    m_history.beginJump();
    bringIntoView(event);
    m_selection.setCursor(event);
    m_selection.pin(*largest);
}

void DocumentPage::fitSelection()
{
    const auto events = m_analysis ? selectedEvents(*m_analysis, m_selection) : std::nullopt;
    if (events)
        zoomTo(events->first, events->second);
    else
        emit said(tr("Nothing to fit: click an allocation or a step"));
}

} // namespace highwater::gui

#include <algorithm>
#include <utility>

#include <QFrame>
#include <QSplitter>
#include <QToolButton>

#include "app/timeline/lane_strip.h"
#include "app/timeline/overview_strip.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/findings/findings_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/scrolling.h"
#include "app/views/side_panel/auxiliary_panel.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"

// Heights of timeline and panel, and the details, which the window places beside the page.

namespace highwater::gui {

namespace {
constexpr int kLeastSideWidth = 260;
/// Share of the height that the views below the timeline get, if it is at least their minimum.
constexpr double kViewsShare = 0.4;

/// True if most of the bytes have a stack.
bool mostHasStacks(const DeviceAnalysis& analysis)
{
    Bytes with = 0;
    Bytes without = 0;
    for (AllocationIndex i = 0; i < analysis.allocations.size(); ++i)
        (analysis.sites.kind(analysis.sites.of(i)) == SiteKind::NoStack ? without : with)
            += analysis.allocations.bytes(i);
    return with >= without;
}
} // namespace

void DocumentPage::layOut()
{
    layColumn(this, {m_verdict, {m_splitter, 1}});
    layColumn(m_timelineArea, {m_lanes, {m_timeline, 1}, m_overview, m_legend});
    for (QWidget* strip : {static_cast<QWidget*>(m_lanes), static_cast<QWidget*>(m_overview)}) {
        strip->setFocusPolicy(Qt::ClickFocus); // set first, or it would change the proxy's policy
        strip->setFocusProxy(m_timeline);
    }
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    fillSplitter(named(m_splitter, "panelSplitter"), {{m_timelineArea, 1}, m_panelTabs});
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_ownHeights = true; });
    makeSide();
}

void DocumentPage::makeSide()
{
    m_side->setObjectName(QStringLiteral("side"));
    m_side->setMinimumWidth(kLeastSideWidth);
    layColumn(m_side, {m_rangePanel, m_auxiliaryPanel, {makeScrollArea(m_details, m_side, tr("Details")), 1}},
        {{1, 0, 0, 0}, 0});
    m_side->layout()->setSizeConstraint(QLayout::SetNoConstraint); // the panels wrap or scroll
    connect(&m_selection, &Selection::chosenChanged, this, [this] {
        if (m_selection.subject() == Selection::Kind::Allocation)
            foldDetails(false);
    });
}

void DocumentPage::setDetailsWanted(bool wanted)
{
    m_wantsDetails = wanted;
    m_foldsDetails = false;
    emit sideChanged();
}

void DocumentPage::foldDetails(bool folded)
{
    if (std::exchange(m_foldsDetails, folded) != folded)
        emit sideChanged();
}

void DocumentPage::closeSide()
{
    setDetailsWanted(false);
    m_selection.release();
    m_selection.setRange(std::nullopt);
}

void DocumentPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    layout()->activate();
    if (!m_ownHeights)
        shareHeight();
}

/// All views have the same height, so that the timeline keeps its scale from one to the next.
void DocumentPage::shareHeight()
{
    const int height = m_splitter->height() - m_splitter->handleWidth();
    if (m_panelTabs->extent() == PanelTabs::Extent::Collapsed) {
        m_splitter->setSizes({height - m_panelTabs->maximumHeight(), m_panelTabs->maximumHeight()});
        return;
    }
    const int viewsHeight
        = std::max(static_cast<int>(height * kViewsShare), m_panelTabs->minimumSizeHint().height());
    m_splitter->setSizes({height - viewsHeight, viewsHeight});
}

void DocumentPage::openFirstView(const std::optional<QString>& wanted)
{
    auto* const moment = m_panelTabs->findChild<CompositionView*>();
    MomentOptions options = moment->options();
    options.search.clear(); // what was searched for in another run may not be in this one
    moment->setOptions(options);
    const bool isOfSummaries = m_session.isOfSummaries();
    const bool isOneMoment
        = m_analysis && !m_analysis->trace->metadata.hasHistory && m_analysis->allocations.size() > 0;
    showOneMoment(isOneMoment && !wanted && !isOfSummaries);
    if (!m_hasExpandedMoment)
        m_panelTabs->open(
            wanted.value_or(isOfSummaries ? QStringLiteral("ranks") : QStringLiteral("summary")));
}

/// With true, expands what is to be seen of a file with only one moment over the timeline: the treemap, or
/// the segments if most memory has no stack, since the treemap would be one rectangle. With false, returns
/// to the table below the timeline if an earlier file's view was expanded.
void DocumentPage::showOneMoment(bool isShown)
{
    if (!std::exchange(m_hasExpandedMoment, isShown) && !isShown)
        return;
    const bool isTreemap = isShown && mostHasStacks(*m_analysis);
    m_panelTabs->findChild<CompositionView*>()->setWay(
        isTreemap ? CompositionView::Way::Treemap : CompositionView::Way::Table);
    if (isShown)
        m_panelTabs->open(isTreemap ? QStringLiteral("moment") : QStringLiteral("segments"));
    if (isShown || m_panelTabs->extent() == PanelTabs::Extent::Expanded)
        m_panelTabs->setExtent(isShown ? PanelTabs::Extent::Expanded : PanelTabs::Extent::Shared);
}

void DocumentPage::showTimeline()
{
    if (m_panelTabs->extent() == PanelTabs::Extent::Expanded)
        m_panelTabs->setExtent(PanelTabs::Extent::Shared);
}

void DocumentPage::applyExtent()
{
    const bool isExpanded = m_panelTabs->extent() == PanelTabs::Extent::Expanded;
    m_timelineArea->setVisible(!isExpanded);
    foldDetails(isExpanded && !m_panelTabs->current()->fillsDetails());
    if (!m_ownHeights || m_panelTabs->extent() == PanelTabs::Extent::Collapsed
        || m_panelTabs->height() < m_panelTabs->minimumSizeHint().height())
        shareHeight();
}

} // namespace highwater::gui

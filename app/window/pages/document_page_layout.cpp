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
/// Share of the height that the views have below the timeline.
constexpr double kViewsShare = 0.4;
} // namespace

void DocumentPage::layOut()
{
    layColumn(this, {m_verdict, {m_splitter, 1}});
    layColumn(m_picture, {m_lanes, {m_timeline, 1}, m_overview, m_legend});
    for (QWidget* strip : {static_cast<QWidget*>(m_lanes), static_cast<QWidget*>(m_overview)}) {
        strip->setFocusPolicy(Qt::ClickFocus); // before the proxy, which keeps its own
        strip->setFocusProxy(m_timeline);
    }
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    fillSplitter(named(m_splitter, "panelSplitter"), {{m_picture, 1}, m_questions});
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
    if (m_questions->extent() == PanelTabs::Extent::Collapsed) {
        m_splitter->setSizes({height - m_questions->maximumHeight(), m_questions->maximumHeight()});
        return;
    }
    const int views
        = std::max(static_cast<int>(height * kViewsShare), m_questions->minimumSizeHint().height());
    m_splitter->setSizes({height - views, views});
}

void DocumentPage::openFirstView(const std::optional<QString>& wanted)
{
    const bool isOfSummaries = m_session.isOfSummaries();
    const bool isOneMoment
        = m_analysis && !m_analysis->trace->metadata.hasHistory && m_analysis->allocations.size() > 0;
    showTreemap(isOneMoment && !wanted && !isOfSummaries);
    if (!m_hasOpenedTreemap)
        m_questions->open(
            wanted.value_or(isOfSummaries ? QStringLiteral("ranks") : QStringLiteral("summary")));
}

/// Opens the treemap over the timeline, which would be a single slab; false undoes that.
void DocumentPage::showTreemap(bool isShown)
{
    if (!std::exchange(m_hasOpenedTreemap, isShown) && !isShown)
        return;
    m_questions->findChild<CompositionView*>()->setWay(
        isShown ? CompositionView::Way::Treemap : CompositionView::Way::Table);
    if (isShown)
        m_questions->open(QStringLiteral("moment"));
    if (isShown || m_questions->extent() == PanelTabs::Extent::Expanded)
        m_questions->setExtent(isShown ? PanelTabs::Extent::Expanded : PanelTabs::Extent::Shared);
}

void DocumentPage::showPicture()
{
    if (m_questions->extent() == PanelTabs::Extent::Expanded)
        m_questions->setExtent(PanelTabs::Extent::Shared);
}

void DocumentPage::applyExtent()
{
    const bool isExpanded = m_questions->extent() == PanelTabs::Extent::Expanded;
    m_picture->setVisible(!isExpanded);
    foldDetails(isExpanded && !m_questions->current()->fillsDetails());
    if (!m_ownHeights || m_questions->extent() == PanelTabs::Extent::Collapsed
        || m_questions->height() < m_questions->minimumSizeHint().height())
        shareHeight();
}

} // namespace highwater::gui

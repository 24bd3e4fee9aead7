#include <algorithm>

#include <QFrame>
#include <QSplitter>
#include <QToolButton>

#include "app/timeline/lane_strip.h"
#include "app/timeline/overview_strip.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/findings/findings_view.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/scrolling.h"
#include "app/views/side_panel/auxiliary_panel.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/pages/document_page.h"

// Heights of timeline and panel, and the details over the timeline.

namespace highwater::gui {

namespace {
/// Enough for the facts of an allocation and a part of its stack.
constexpr int kDetailsHeight = 440;
constexpr int kSideWidth = 300;
/// Height of timeline, lanes, overview and legend below which the panel stays at its minimum.
constexpr int kPictureHeight = 590;
/// Height of views other than the findings, as long as kLeastPicture remains above them.
constexpr int kViewsHeight = 260;
constexpr int kLeastPicture = 420;
} // namespace

void DocumentPage::layOut()
{
    layColumn(this, {m_verdict, {m_splitter, 1}});
    layColumn(m_picture, {m_lanes, {m_timeline, 1}, m_overview, m_legend});
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    fillSplitter(named(m_splitter, "panelSplitter"), {{m_picture, 1}, m_questions});
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] {
        m_ownHeights = true;
        placeSide();
    });
    makeSide();
}

void DocumentPage::makeSide()
{
    m_side->setObjectName(QStringLiteral("side"));
    m_details->setMinimumHeight(kDetailsHeight); // scrolled if there is less room
    layColumn(m_side, {m_rangePanel, m_auxiliaryPanel, {makeScrollArea(m_details, m_side, tr("Details")), 1}},
        {{1, 0, 0, 0}, 0});
    auto* close = named(new QToolButton(m_side), "closeDetails", tr("Close the details"), tr("Close (Esc)"));
    close->setProperty("flat", true);
    close->setIcon(lineIcon(LineIcon::Close));
    constexpr int margin = 6;
    close->setFixedSize(
        2 * margin + m_side->fontMetrics().height(), 2 * margin + m_side->fontMetrics().height());
    close->move(kSideWidth - close->width() - margin, margin);
    close->raise();
    connect(close, &QToolButton::clicked, this, [this] {
        setDetailsWanted(false);
        m_selection.release();
        m_selection.setRange(std::nullopt);
        emit detailsClosed();
    });
    for (auto change : {&Selection::shownChanged, &Selection::rangeChanged})
        connect(&m_selection, change, this, &DocumentPage::placeSide);
    m_side->hide();
}

void DocumentPage::setDetailsWanted(bool wanted)
{
    m_wantsDetails = wanted;
    placeSide();
}

/// Places the details over the right edge of the timeline without moving it, or over its left edge if they
/// would hide the pinned moment.
void DocumentPage::placeSide()
{
    const bool any = m_wantsDetails || m_selection.isPinned() || m_selection.range();
    const QWidget* const below = m_picture->isVisibleTo(this) ? m_picture : m_splitter;
    const QRect room(below->mapTo(this, QPoint()), below->size());
    const PlotArea area = m_timeline->area();
    const std::optional<std::int64_t> at = m_selection.isPinned() ? m_selection.moment() : std::nullopt;
    const double x = at && m_analysis ? area.toX(scale().positionOf(std::max<std::int64_t>(*at, 0))) : 0;
    const bool isCovered = below == m_picture && x > room.width() - kSideWidth && x <= area.rect.right() + 1;
    const int left
        = isCovered ? room.left() + static_cast<int>(area.rect.left()) : room.right() + 1 - kSideWidth;
    m_side->setGeometry(left, room.top(), kSideWidth, room.height());
    m_side->setVisible(m_analysis && any);
    const bool isOver = m_analysis && any && below == m_picture;
    const auto over = [&](const QWidget& widget) {
        return isOver ? QRect(widget.mapFrom(this, m_side->pos()), m_side->size()) : QRect();
    };
    m_timeline->setCovered(over(*m_timeline));
    m_lanes->setCovered(over(*m_lanes));
    m_legend->setCovered(over(*m_legend));
    m_side->raise();
}

void DocumentPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    layout()->activate();
    if (!m_ownHeights)
        shareHeight();
    placeSide();
}

/// Shrinks the findings first, down to three rows; other views need more height to be readable.
void DocumentPage::shareHeight()
{
    const int height = m_splitter->height() - m_splitter->handleWidth();
    const int rows = std::clamp(
        height - kPictureHeight, m_questions->minimumSizeHint().height(), m_questions->sizeHint().height());
    const bool areRows = m_questions->openName().isEmpty() || m_questions->current() == m_findings;
    const int views = areRows ? rows : std::max(rows, std::min(kViewsHeight, height - kLeastPicture));
    m_splitter->setSizes({height - views, views});
}

void DocumentPage::applyExtent()
{
    m_picture->setVisible(m_questions->extent() != PanelTabs::Extent::Expanded);
    if (!m_ownHeights || m_questions->height() < m_questions->minimumSizeHint().height())
        shareHeight();
    placeSide();
}

} // namespace highwater::gui

#include "app/timeline/cursor_overlay.h"

#include <algorithm>

#include <QPainter>

namespace highwater::gui {

namespace {

/// First row of the column that shows the allocation; `guess`, the one of the column before, is mostly right.
int firstRowOf(const AllocationIndex* column, int height, AllocationIndex allocation, int guess)
{
    if (guess < height && column[guess] == allocation && (guess == 0 || column[guess - 1] != allocation))
        return guess;
    return static_cast<int>(std::find(column, column + height, allocation) - column);
}

} // namespace

std::vector<BandPiece> piecesOf(const BandImage& image, AllocationIndex allocation)
{
    const BandRaster& raster = image.raster;
    const AllocationTable& table = image.request.analysis->allocations;
    std::vector<BandPiece> pieces;
    for (int x = 0; x < raster.width; ++x) {
        if (!table.isLiveAt(allocation, raster.columns[static_cast<std::size_t>(x)].event))
            continue;
        const AllocationIndex* column
            = raster.pixels.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(raster.height);
        const int from
            = firstRowOf(column, raster.height, allocation, pieces.empty() ? 0 : pieces.back().from);
        int to = from;
        while (to < raster.height && column[to] == allocation)
            ++to;
        if (from == to)
            continue;
        if (!pieces.empty() && pieces.back().last == x && pieces.back().from == from
            && pieces.back().to == to)
            pieces.back().last = x + 1;
        else
            pieces.push_back({x, x + 1, from, to});
    }
    return pieces;
}

CursorOverlay::CursorOverlay(QWidget* plot, const Selection& selection)
    : QWidget(plot)
    , m_selection(selection)
    , m_colors(ThemeColors::light())
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void CursorOverlay::setArea(const PlotArea& area)
{
    m_area = area;
    setGeometry(parentWidget()->rect());
}

bool CursorOverlay::showsHovered() const
{
    return m_image && m_selection.hovered() != Selection::kNone
        && m_selection.hovered() != m_selection.pinned();
}

const CursorOverlay::Outline& CursorOverlay::outlineOf(AllocationIndex allocation, Outline& kept) const
{
    if (kept.image != m_image || kept.allocation != allocation)
        kept = {m_image, allocation, piecesOf(*m_image, allocation)};
    return kept;
}

QRectF CursorOverlay::pieceRect(const BandPiece& piece) const
{
    const BandRequest& of = m_image->request;
    const double keyStep = (of.xEnd - of.xBegin) / of.width;
    const double byteStep = (of.yTop - of.yBottom) / of.height;
    return m_area.toScreen(of.xBegin + piece.first * keyStep, of.xBegin + piece.last * keyStep,
        of.yBottom + piece.from * byteStep, of.yBottom + piece.to * byteStep);
}

QRect CursorOverlay::bounds(const Outline& outline) const
{
    QRectF all;
    for (const BandPiece& piece : outline.pieces)
        all |= pieceRect(piece);
    return all.isNull() ? QRect() : all.intersected(m_area.rect).toAlignedRect().adjusted(-2, -2, 2, 2);
}

QRegion CursorOverlay::region() const
{
    QRegion pixels;
    if (showsHovered())
        pixels += bounds(outlineOf(m_selection.hovered(), m_hovered));
    if (showsPinned())
        pixels += bounds(outlineOf(m_selection.pinned(), m_pinned));
    const QRect room = m_area.rect.toAlignedRect();
    if (m_rangeKeys) {
        const double left = m_area.toX(m_rangeKeys->first) - 1;
        const double right = m_area.toX(m_rangeKeys->second) + 2;
        pixels += QRectF(left, room.top(), right - left, room.height()).intersected(room).toAlignedRect();
    }
    if (m_cursorKey)
        pixels += QRectF(m_area.toX(*m_cursorKey) - 1, room.top(), 3, room.height()).toAlignedRect();
    return pixels & room;
}

void CursorOverlay::refresh()
{
    const QRegion now = region();
    update(m_shown + now);
    m_shown = now;
}

void CursorOverlay::drawRange(QPainter& painter) const
{
    const double left = m_area.toX(m_rangeKeys->first);
    const double right = m_area.toX(m_rangeKeys->second);
    QColor fill = m_colors.accent;
    fill.setAlpha(40);
    const QRectF band
        = QRectF(left, m_area.rect.top(), right - left, m_area.rect.height()).intersected(m_area.rect);
    painter.fillRect(band, fill);
    painter.setPen(QPen(m_colors.accent, 1));
    for (const double x : {left, right})
        painter.drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
}

void CursorOverlay::paintEvent(QPaintEvent*)
{
    m_shown = region();
    QPainter painter(this);
    painter.setClipRect(m_area.rect.toAlignedRect(), Qt::IntersectClip);
    if (m_rangeKeys)
        drawRange(painter);
    if (showsHovered())
        drawOutline(
            painter, outlineOf(m_selection.hovered(), m_hovered), m_colors.text, QColor(255, 255, 255, 90));
    if (showsPinned())
        drawOutline(
            painter, outlineOf(m_selection.pinned(), m_pinned), m_colors.text, QColor(255, 255, 255, 150));
    if (!m_cursorKey)
        return;
    const double x = m_area.toX(*m_cursorKey);
    painter.setPen(QPen(m_colors.text, 1));
    painter.drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
}

void CursorOverlay::drawOutline(
    QPainter& painter, const Outline& outline, const QColor& line, const QColor& fill) const
{
    QRectF last;
    for (const BandPiece& piece : outline.pieces) {
        const QRectF rect = pieceRect(piece);
        const QRectF visible = rect.intersected(m_area.rect);
        if (visible.isEmpty())
            continue;
        painter.fillRect(visible, fill);
        painter.fillRect(QRectF(visible.left(), rect.top() - 1, visible.width(), 1), line);
        painter.fillRect(QRectF(visible.left(), rect.bottom(), visible.width(), 1), line);
        if (last.isNull() || visible.left() > last.right() + 1)
            painter.fillRect(QRectF(visible.left() - 1, rect.top(), 1, rect.height()), line);
        last = visible;
    }
    if (!last.isNull())
        painter.fillRect(QRectF(last.right(), last.top(), 1, last.height()), line);
}

} // namespace highwater::gui

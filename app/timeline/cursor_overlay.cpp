#include "app/timeline/cursor_overlay.h"

#include <algorithm>

namespace highwater::gui {

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
        const AllocationIndex* end = column + raster.height;
        const AllocationIndex* from = std::find(column, end, allocation);
        const AllocationIndex* to
            = std::find_if(from, end, [&](AllocationIndex other) { return other != allocation; });
        if (from == end)
            continue;
        const BandPiece piece{x, x + 1, static_cast<int>(from - column), static_cast<int>(to - column)};
        if (!pieces.empty() && pieces.back().last == x && pieces.back().from == piece.from
            && pieces.back().to == piece.to)
            pieces.back().last = x + 1;
        else
            pieces.push_back(piece);
    }
    return pieces;
}

CursorOverlay::CursorOverlay(QCustomPlot* plot, const Selection& selection)
    : QCPLayerable(plot, QStringLiteral("cursor"))
    , m_selection(selection)
    , m_colors(ThemeColors::light())
{
}

void CursorOverlay::applyDefaultAntialiasingHint(QCPPainter* painter) const
{
    painter->setAntialiasing(false);
}

void CursorOverlay::drawRange(QCPPainter* painter) const
{
    const double left = m_area.toX(m_rangeKeys->first);
    const double right = m_area.toX(m_rangeKeys->second);
    QColor fill = m_colors.accent;
    fill.setAlpha(40);
    const QRectF band = QRectF(left, m_area.rect.top(), right - left, m_area.rect.height()).intersected(m_area.rect);
    painter->fillRect(band, fill);
    painter->setPen(QPen(m_colors.accent, 1));
    for (const double x : {left, right})
        painter->drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
}

void CursorOverlay::draw(QCPPainter* painter)
{
    if (m_rangeKeys)
        drawRange(painter);
    if (m_image && m_selection.hovered() != Selection::kNone && m_selection.hovered() != m_selection.pinned())
        drawOutline(painter, m_selection.hovered(), m_colors.text, QColor(255, 255, 255, 90));
    if (m_image && m_selection.isPinned())
        drawOutline(painter, m_selection.pinned(), m_colors.text, QColor(255, 255, 255, 150));
    if (!m_cursorKey)
        return;
    const double x = m_area.toX(*m_cursorKey);
    painter->setPen(QPen(m_colors.text, 1));
    painter->drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
}

void CursorOverlay::drawOutline(
    QCPPainter* painter, AllocationIndex allocation, const QColor& line, const QColor& fill) const
{
    const BandRequest& of = m_image->request;
    const double keyStep = (of.xEnd - of.xBegin) / of.width;
    const double byteStep = (of.yTop - of.yBottom) / of.height;
    QRectF last;
    for (const BandPiece& piece : piecesOf(*m_image, allocation)) {
        const QRectF rect
            = m_area.toScreen(of.xBegin + piece.first * keyStep, of.xBegin + piece.last * keyStep,
                of.yBottom + piece.from * byteStep, of.yBottom + piece.to * byteStep);
        const QRectF visible = rect.intersected(m_area.rect);
        if (visible.isEmpty())
            continue;
        painter->fillRect(visible, fill);
        painter->fillRect(QRectF(visible.left(), rect.top() - 1, visible.width(), 1), line);
        painter->fillRect(QRectF(visible.left(), rect.bottom(), visible.width(), 1), line);
        if (last.isNull() || visible.left() > last.right() + 1)
            painter->fillRect(QRectF(visible.left() - 1, rect.top(), 1, rect.height()), line);
        last = visible;
    }
    if (!last.isNull())
        painter->fillRect(QRectF(last.right(), last.top(), 1, last.height()), line);
}

} // namespace highwater::gui

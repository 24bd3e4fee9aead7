#include "app/timeline/bands/band_plottable.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/bands/band_labels.h"

namespace highwater::gui {

namespace {
/// Rows that Qt's raster engine scales in one thread.
constexpr double kMostRows = 64;
} // namespace

BandPlottable::BandPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis)
    : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
}

void BandPlottable::setImage(std::shared_ptr<const BandImage> image)
{
    m_image = std::move(image);
    const auto width = [](const BandImage& of) { return of.request.xEnd - of.request.xBegin; };
    const auto height = [](const BandImage& of) { return of.request.yTop - of.request.yBottom; };
    if (!m_image || !m_widest || !m_image->request.looksLike(m_widest->request)
        || (width(*m_image) >= width(*m_widest) && height(*m_image) >= height(*m_widest)))
        m_widest = m_image;
}

void BandPlottable::clear()
{
    m_image.reset();
    m_widest.reset();
}

QRectF BandPlottable::placeOf(const BandImage& image) const
{
    const BandRequest& of = image.request;
    return m_area.toScreen(of.xBegin, of.xEnd, of.yBottom, of.yTop);
}

void BandPlottable::drawStretched(QCPPainter* painter, const BandImage& image, const QRectF& part) const
{
    const QRectF whole = placeOf(image);
    const QRectF target = whole.intersected(part);
    if (target.isEmpty())
        return;
    const double across = image.request.width / whole.width();
    const double down = image.request.height / whole.height();
    // A slice at a time: of more rows Qt scales parts in threads, and waits for them while the bands keep all
    // processors busy.
    const double slice = std::floor(kMostRows / mParentPlot->bufferDevicePixelRatio());
    for (double top = target.top(); top < target.bottom(); top += slice) {
        const QRectF rows(target.left(), top, target.width(), std::min(slice, target.bottom() - top));
        painter->drawImage(rows, image.image,
            QRectF((rows.left() - whole.left()) * across, (rows.top() - whole.top()) * down,
                rows.width() * across, rows.height() * down));
    }
}

void BandPlottable::drawNewest(QCPPainter* painter) const
{
    const double pixels = mParentPlot->bufferDevicePixelRatio();
    const QRectF whole = placeOf(*m_image);
    const auto sameSize = [&](double screen, int image) { return std::abs(screen * pixels - image) < 0.01; };
    if (!sameSize(whole.width(), m_image->request.width)
        || !sameSize(whole.height(), m_image->request.height)) {
        drawStretched(painter, *m_image, m_area.rect);
        return;
    }
    // Only moved: copied pixel by pixel, which is crisp and several times faster than scaling by 1.
    QImage image = m_image->image;
    image.setDevicePixelRatio(pixels);
    const QPointF moved(
        (whole.left() - m_area.rect.left()) * pixels, (whole.top() - m_area.rect.top()) * pixels);
    painter->drawImage(m_area.rect.topLeft() + QPointF(moved.toPoint()) / pixels, image);
}

void BandPlottable::draw(QCPPainter* painter)
{
    if (!m_image)
        return;
    const QRectF& room = m_area.rect;
    const QRectF covered = placeOf(*m_image).intersected(room);
    if (m_widest && m_widest != m_image) {
        // What the newest picture leaves free, in rectangles: clipping to any other shape would be slow.
        if (covered.isEmpty()) {
            drawStretched(painter, *m_widest, room);
        } else {
            drawStretched(painter, *m_widest, QRectF(room.topLeft(), QPointF(covered.left(), room.bottom())));
            drawStretched(
                painter, *m_widest, QRectF(QPointF(covered.right(), room.top()), room.bottomRight()));
            drawStretched(
                painter, *m_widest, QRectF(QPointF(covered.left(), room.top()), covered.topRight()));
            drawStretched(
                painter, *m_widest, QRectF(covered.bottomLeft(), QPointF(covered.right(), room.bottom())));
        }
    }
    drawNewest(painter);
    paintBandLabels(*painter, m_image->labels, m_image->request.labelFont, m_area, m_taken);
}

void BandPlottable::drawLegendIcon(QCPPainter*, const QRectF&) const { }

QCPRange BandPlottable::getKeyRange(bool& foundRange, QCP::SignDomain) const
{
    foundRange = m_widest != nullptr;
    return m_widest ? QCPRange(m_widest->request.xBegin, m_widest->request.xEnd) : QCPRange();
}

QCPRange BandPlottable::getValueRange(bool& foundRange, QCP::SignDomain, const QCPRange&) const
{
    foundRange = m_widest != nullptr;
    return m_widest ? QCPRange(m_widest->request.yBottom, m_widest->request.yTop) : QCPRange();
}

} // namespace highwater::gui

#include "app/timeline/bands/band_plottable.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/bands/column_copy.h"
#include "app/timeline/parts/plot_canvas.h"

namespace highwater::gui {

namespace {

/// Copies pixels of the picture to the canvas at `at`; `columns` and `rows` give the source of each target
/// pixel.
void copyPixels(const QImage& image, std::vector<int> columns, const std::vector<int>& rows, QImage& canvas,
    const QPoint& at)
{
    const ColumnCopy copy(std::move(columns), image.width());
    const auto row = [&](std::size_t y) {
        return reinterpret_cast<const QRgb*>(image.constScanLine(rows[std::min(y, rows.size() - 1)]));
    };
    for (std::size_t y = 0; y < rows.size(); ++y)
        copy.copyRow(row(y), row(y + 1),
            reinterpret_cast<QRgb*>(canvas.scanLine(at.y() + static_cast<int>(y))) + at.x());
}

} // namespace

BandPlottable::BandPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis)
    : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
}

void BandPlottable::setImage(std::shared_ptr<const BandImage> image)
{
    m_image = std::move(image);
    const auto width = [](const BandImage& picture) { return picture.request.xEnd - picture.request.xBegin; };
    const auto height
        = [](const BandImage& picture) { return picture.request.yTop - picture.request.yBottom; };
    if (!m_image || !m_backdrop || !m_image->request.looksLike(m_backdrop->request)
        || (width(*m_image) >= width(*m_backdrop) && height(*m_image) >= height(*m_backdrop)))
        m_backdrop = m_image;
}

void BandPlottable::clear()
{
    m_image.reset();
    m_backdrop.reset();
}

std::vector<QRectF> BandPlottable::labelPlaces() const
{
    return m_image ? placesOf(m_image->labels, m_area, m_taken) : std::vector<QRectF>();
}

/// Returns the picture's rectangle on screen. If the view was only panned, the rectangle is on whole pixels,
/// so that the picture stays crisp.
QRectF BandPlottable::placeOf(const BandImage& image) const
{
    const BandRequest& request = image.request;
    const double pixelRatio = mParentPlot->bufferDevicePixelRatio();
    const auto isSameSize
        = [&](double screen, int picture) { return std::abs(screen * pixelRatio - picture) < 0.01; };
    QRectF place = m_area.toScreen(request.xBegin, request.xEnd, request.yBottom, request.yTop);
    if (isSameSize(place.width(), request.width) && isSameSize(place.height(), request.height)) {
        const QPointF moved = (place.topLeft() - m_area.rect.topLeft()) * pixelRatio;
        place.moveTopLeft(m_area.rect.topLeft() + QPointF(moved.toPoint()) / pixelRatio);
    }
    return place;
}

double BandPlottable::topOfCoveredRows(double left, double right) const
{
    if (!m_image)
        return m_area.rect.bottom();
    const QRectF newest = placeOf(*m_image);
    const bool isOutsideNewest = right <= newest.left() || left >= newest.right();
    return topOfCoveredRows(isOutsideNewest ? *m_backdrop : *m_image, left, right);
}

double BandPlottable::topOfCoveredRows(const BandImage& image, double left, double right) const
{
    constexpr double rounding = 2;
    const double bottom = m_area.rect.bottom();
    const BandRequest& request = image.request;
    if (image.filled.empty() || request.yBottom > m_area.yBottom)
        return bottom;
    const double columnsPerKey = request.width / (request.xEnd - request.xBegin);
    const double from = (m_area.keyAt(left) - request.xBegin) * columnsPerKey;
    const double to = (m_area.keyAt(right) - request.xBegin) * columnsPerKey;
    if (from < -rounding || to > request.width + rounding)
        return bottom;
    const auto first
        = image.filled.begin() + static_cast<int>(std::clamp(from - rounding, 0.0, request.width - 1.0));
    const auto last
        = image.filled.begin() + static_cast<int>(std::clamp<double>(to + rounding, 1, request.width));
    const int rows = first < last ? *std::min_element(first, last) : 0;
    return std::min(bottom,
        m_area.toY(request.yBottom + rows * (request.yTop - request.yBottom) / request.height) + rounding);
}

/// Scales the picture to the nearest pixel as QPainter does, but in a tenth of the time: each pixel of the
/// canvas is written once, and empty pixels of the picture are skipped.
void BandPlottable::drawPicture(QCPPainter* painter, const BandImage& image, const QRectF& part) const
{
    const QRectF imageRect = placeOf(image);
    const int rowsFilled = image.filled.empty() ? 0 : *std::ranges::max_element(image.filled);
    QRectF filledRect = imageRect;
    filledRect.setTop(imageRect.bottom() - imageRect.height() * rowsFilled / image.request.height);
    const QRectF target = filledRect.intersected(part);
    const double pixelRatio = mParentPlot->bufferDevicePixelRatio();
    if (target.isEmpty())
        return;
    const auto* const plot = qobject_cast<const PlotCanvas*>(mParentPlot);
    QImage* const canvas = plot ? plot->layerPictureOf(*painter) : nullptr;
    if (!canvas) {
        painter->save();
        painter->setClipRect(target, Qt::IntersectClip);
        painter->drawImage(imageRect, image.image);
        painter->restore();
        return;
    }
    const auto firstPixelFrom
        = [pixelRatio](double edge) { return static_cast<int>(std::ceil(edge * pixelRatio - 0.5)); };
    const QRect targetPixels = QRect(QPoint(firstPixelFrom(target.left()), firstPixelFrom(target.top())),
        QPoint(firstPixelFrom(target.right()) - 1, firstPixelFrom(target.bottom()) - 1))
                                   .intersected(canvas->rect());
    if (targetPixels.isEmpty())
        return;
    // Finds the picture's column or row under the middle of each pixel.
    const auto sources = [pixelRatio](int from, int count, double begin, double length, int size) {
        std::vector<int> nearest(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i)
            nearest[static_cast<std::size_t>(i)] = std::clamp(
                static_cast<int>(std::floor(((from + i + 0.5) / pixelRatio - begin) * size / length)), 0,
                size - 1);
        return nearest;
    };
    std::vector<int> columns = sources(
        targetPixels.left(), targetPixels.width(), imageRect.left(), imageRect.width(), image.image.width());
    const std::vector<int> rows = sources(
        targetPixels.top(), targetPixels.height(), imageRect.top(), imageRect.height(), image.image.height());
    copyPixels(image.image, std::move(columns), rows, *canvas, targetPixels.topLeft());
}

void BandPlottable::draw(QCPPainter* painter)
{
    if (!m_image)
        return;
    const QRectF& room = m_area.rect;
    const QRectF covered = placeOf(*m_image).intersected(room);
    if (m_backdrop && m_backdrop != m_image) {
        // Fills the rest with the backdrop, in rectangles: clipping to any other shape would be slow.
        if (covered.isEmpty()) {
            drawPicture(painter, *m_backdrop, room);
        } else {
            drawPicture(painter, *m_backdrop, QRectF(room.topLeft(), QPointF(covered.left(), room.bottom())));
            drawPicture(
                painter, *m_backdrop, QRectF(QPointF(covered.right(), room.top()), room.bottomRight()));
            drawPicture(
                painter, *m_backdrop, QRectF(QPointF(covered.left(), room.top()), covered.topRight()));
            drawPicture(
                painter, *m_backdrop, QRectF(covered.bottomLeft(), QPointF(covered.right(), room.bottom())));
        }
    }
    drawPicture(painter, *m_image, room);
    paintBandLabels(*painter, m_image->labels, m_image->request.labelFont, m_labelTexts, m_area, m_taken);
}

void BandPlottable::drawLegendIcon(QCPPainter*, const QRectF&) const { }

QCPRange BandPlottable::getKeyRange(bool& foundRange, QCP::SignDomain) const
{
    foundRange = m_backdrop != nullptr;
    return m_backdrop ? QCPRange(m_backdrop->request.xBegin, m_backdrop->request.xEnd) : QCPRange();
}

QCPRange BandPlottable::getValueRange(bool& foundRange, QCP::SignDomain, const QCPRange&) const
{
    foundRange = m_backdrop != nullptr;
    return m_backdrop ? QCPRange(m_backdrop->request.yBottom, m_backdrop->request.yTop) : QCPRange();
}

} // namespace highwater::gui

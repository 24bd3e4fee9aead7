#include "app/views/picture/figure_painter.h"

#include <algorithm>
#include <cmath>

#include "app/views/picture/hatching.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Just below one pixel, to allow for rounding errors.
constexpr double kWholePixel = 0.999;

QColor colorOf(FigureColor color)
{
    return QColor::fromRgb(color & 0xffffff);
}

class FigurePainter
{
public:
    explicit FigurePainter(QPainter& painter)
        : m_painter(painter)
        , m_toDevice(painter.deviceTransform())
        , m_isSnapping(m_toDevice.type() <= QTransform::TxScale)
        , m_fromDevice(m_toDevice.inverted())
    {
    }

    void paint(const FigureRect& rect)
    {
        if (rect.opacity <= 0)
            return;
        QColor color = colorOf(rect.fill);
        color.setAlphaF(static_cast<float>(std::min(rect.opacity, 1.0)));
        m_painter.fillRect(snapped(QRectF(rect.x, rect.y, rect.width, rect.height)), color);
    }

    void paint(const FigurePolygon& polygon)
    {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colorOf(polygon.fill));
        m_painter.drawPolygon(pointsOf(polygon.points), Qt::WindingFill);
        if (!polygon.hatched)
            return;
        m_painter.setBrush(hatchBrush({}));
        m_painter.drawPolygon(pointsOf(polygon.points), Qt::WindingFill);
    }

    void paint(const FigureLine& line)
    {
        if (line.width <= 0 || line.points.size() < 2)
            return;
        QPen pen(colorOf(line.color), line.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        QPolygonF points = pointsOf(line.points);
        if (m_isSnapping && points.size() == 2)
            snap(points, pen);
        if (!line.dash.empty())
            pen.setDashPattern(dashesOf(line, pen.widthF()));
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(points);
    }

    void paint(const FigureText& text)
    {
        QFont font = m_painter.font();
        font.setPixelSize(std::max(1, qRound(text.size)));
        font.setBold(text.bold);
        m_painter.save();
        m_painter.setFont(font);
        m_painter.setPen(colorOf(text.color));
        m_painter.translate(text.x, text.y);
        if (text.upwards)
            m_painter.rotate(-90);
        const QString words = toQString(text.text);
        const double width
            = text.anchor == TextAnchor::Start ? 0 : QFontMetricsF(font).horizontalAdvance(words);
        m_painter.drawText(QPointF(text.anchor == TextAnchor::End ? -width : -width / 2, 0), words);
        m_painter.restore();
    }

private:
    static QPolygonF pointsOf(const std::vector<FigurePoint>& points)
    {
        QPolygonF polygon;
        for (const FigurePoint& point : points)
            polygon.append({point.x, point.y});
        return polygon;
    }

    /// Returns the dash lengths in pen widths. Qt needs an even number of lengths, so an odd list is
    /// repeated.
    static QList<qreal> dashesOf(const FigureLine& line, double width)
    {
        QList<qreal> dashes;
        for (int round = 0; round < (line.dash.size() % 2 == 0 ? 1 : 2); ++round)
            for (const double length : line.dash)
                dashes.append(std::max(length, 0.01) / width);
        return dashes;
    }

    /// Returns the rectangle with its edges on whole pixels. A width or height below one pixel is kept,
    /// because it would vanish or grow.
    QRectF snapped(const QRectF& rect) const
    {
        if (!m_isSnapping)
            return rect;
        const QRectF device = m_toDevice.mapRect(rect);
        QRectF snappedRect = device;
        if (device.width() > kWholePixel) {
            snappedRect.setLeft(std::round(device.left()));
            snappedRect.setRight(std::round(device.right()));
        }
        if (device.height() > kWholePixel) {
            snappedRect.setTop(std::round(device.top()));
            snappedRect.setBottom(std::round(device.bottom()));
        }
        return m_fromDevice.mapRect(snappedRect);
    }

    /// Makes a horizontal or vertical line cover whole pixels: the nearest whole width, at least one.
    void snap(QPolygonF& points, QPen& pen) const
    {
        const bool upright = points[0].x() == points[1].x();
        if (!upright && points[0].y() != points[1].y())
            return;
        const double scale = std::abs(upright ? m_toDevice.m11() : m_toDevice.m22());
        const double width = std::max(1.0, std::round(pen.widthF() * scale));
        for (QPointF& point : points) {
            QPointF device = m_toDevice.map(point);
            double& across = upright ? device.rx() : device.ry();
            across = std::round(across - width / 2) + width / 2;
            point = m_fromDevice.map(device);
        }
        pen.setWidthF(width / scale);
    }

    QPainter& m_painter;
    const QTransform m_toDevice;
    const bool m_isSnapping; ///< no rotation: pixels are parallel to the figure's axes
    const QTransform m_fromDevice;
};

} // namespace

void paintFigure(QPainter& painter, const Figure& figure)
{
    paintShapes(
        painter, {FigureRect{.width = figure.width, .height = figure.height, .fill = figure.background}});
    paintShapes(painter, figure.shapes);
}

void paintShapes(QPainter& painter, const std::vector<FigureShape>& shapes)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    FigurePainter figure(painter);
    for (const FigureShape& shape : shapes)
        std::visit([&](const auto& item) { figure.paint(item); }, shape);
    painter.restore();
}

} // namespace highwater::gui

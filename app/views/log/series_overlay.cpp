#include "app/views/log/series_overlay.h"

#include <algorithm>

#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {

constexpr double kTextMargin = 4;

/// Moves a text by whole rows until it is clear of those that have a place already: up from its line, or down
/// if it reaches the top. Without a free row, it stays where it is.
QRectF freePlace(QRectF place, const QRectF& chart, const std::vector<QRectF>& taken)
{
    const auto isFree = [&](const QRectF& candidate) {
        return candidate.top() >= chart.top() && candidate.bottom() <= chart.bottom()
            && std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(candidate); });
    };
    const double row = place.height();
    for (int rows = 0; rows * row < chart.height(); ++rows)
        for (const int side : {-rows, rows})
            if (const QRectF moved = place.translated(0, side * row); isFree(moved))
                return moved;
    return place;
}

} // namespace

SeriesOverlay::SeriesOverlay(QCustomPlot* chart)
    : QCPLayerable(chart, QStringLiteral("overlay"))
{
}

void SeriesOverlay::draw(QCPPainter* painter)
{
    painter->setFont(mParentPlot->font());
    std::vector<QRectF> taken;
    drawFailures(*painter, taken);
    drawNames(*painter, taken);
    drawNotes(*painter);
}

void SeriesOverlay::drawText(
    QCPPainter& painter, const QRectF& place, const QString& text, const QColor& color) const
{
    QColor plate = m_colors.surface;
    plate.setAlphaF(0.85F);
    painter.fillRect(place, plate);
    painter.setPen(color);
    painter.drawText(place, Qt::AlignCenter, text);
}

/// Draws each failure as a line from top to bottom, with its text at the bottom, where levels are rare.
void SeriesOverlay::drawFailures(QCPPainter& painter, std::vector<QRectF>& taken) const
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    for (const Failure& failure : m_failures) {
        const double x = mParentPlot->xAxis->coordToPixel(failure.x);
        if (x < chart.left() || x > chart.right())
            continue;
        painter.setPen(linePen(LineKind::OutOfMemory, m_colors.ground()));
        painter.drawLine(QLineF(x, chart.top(), x, chart.bottom()));
        const double width = painter.fontMetrics().horizontalAdvance(failure.text) + 2 * kTextMargin;
        const double height = painter.fontMetrics().height();
        const double left
            = std::clamp(x - width / 2, chart.left(), std::max(chart.left(), chart.right() - width));
        const QRectF place
            = freePlace({left, chart.bottom() - height - kTextMargin, std::min(width, chart.width()), height},
                chart, taken);
        drawText(painter, place, failure.text, m_colors.danger);
        taken.push_back(place);
    }
}

/// Draws the name of each line above its last point, the highest line first.
void SeriesOverlay::drawNames(QCPPainter& painter, std::vector<QRectF>& taken) const
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    std::vector<LineEnd> ends = m_ends;
    std::ranges::stable_sort(ends, std::greater(), &LineEnd::y);
    for (const LineEnd& end : ends) {
        const double x = std::clamp(mParentPlot->xAxis->coordToPixel(end.x), chart.left(), chart.right());
        const double y = std::clamp(mParentPlot->yAxis->coordToPixel(end.y), chart.top(), chart.bottom());
        const double width = painter.fontMetrics().horizontalAdvance(end.name) + 2 * kTextMargin;
        const double height = painter.fontMetrics().height();
        const double left = std::max(chart.left(), std::min(x, chart.right()) - width);
        const QRectF place = freePlace({left, y - height - kTextMargin, width, height}, chart, taken);
        drawText(painter, place, end.name, readableLine(end.color, m_colors));
        taken.push_back(place);
    }
}

void SeriesOverlay::drawNotes(QCPPainter& painter) const
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    std::vector<NotedPlace> places;
    for (const auto& [key, note] : m_notes) {
        const double x = mParentPlot->xAxis->coordToPixel(key);
        if (x < chart.left() || x > chart.right())
            continue;
        if (!places.empty() && places.back().x == x)
            places.back().notes.push_back(&note);
        else
            places.push_back({x, chart.bottom(), {&note}});
    }
    paintNotes(painter, chart, places);
}

} // namespace highwater::gui

#include <algorithm>

#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/timeline_markers.h"

// The line of reserved bytes, and the area below it that no band covers.

namespace highwater::gui {

namespace {

constexpr double kReservedTile = 64; ///< width in pixels; narrower tiles cost more than they save

} // namespace

/// Returns the line of reserved bytes over the visible range.
StepLine TimelineMarkers::reservedLine() const
{
    const auto& changes = m_analysis->curve.reservedChanges();
    const std::int64_t first = m_scale->eventAt(m_area.xBegin);
    const auto from = std::upper_bound(changes.begin(), changes.end(), first,
        [](std::int64_t event, const UsageCurve::ReservedChange& c) { return event < c.event; });
    // Before the first total that the file reports, nothing is known.
    const std::optional<Bytes> known = m_analysis->curve.reservedAt(first);
    if (!known && from == changes.end())
        return {};
    const double start = known
        ? m_area.rect.left()
        : std::clamp(m_area.toX(m_scale->positionOf(from->event)), m_area.rect.left(), m_area.rect.right());
    PixelSteps steps(start, m_area.toY(static_cast<double>(known ? *known : from->bytes)));
    for (auto change = from; change != changes.end(); ++change) {
        const double x = m_area.toX(m_scale->positionOf(change->event));
        if (x > m_area.rect.right())
            break;
        steps.stepTo(x, m_area.toY(static_cast<double>(change->bytes)));
    }
    // Next to a longer run the view continues after the end of this one.
    return steps.endAt(std::clamp(m_area.toX(m_scale->end()), m_area.rect.left(), m_area.rect.right()));
}

/// Fills the area below a level that no band covers: first the rows that are free over the whole width, then
/// the rest in tiles.
void TimelineMarkers::fillReserved(QCPPainter& painter, const QLineF& level) const
{
    std::vector<QRectF> tiles;
    double commonBottom = m_area.rect.bottom();
    for (double left = level.x1(); left < level.x2(); left += kReservedTile) {
        const double right = std::min(left + kReservedTile, level.x2());
        const double bottom = std::max(level.y1(), m_bands.topOfCoveredRows(left, right));
        tiles.emplace_back(QPointF(left, level.y1()), QPointF(right, bottom));
        commonBottom = std::min(commonBottom, bottom);
    }
    painter.fillRect(QRectF(level.p1(), QPointF(level.x2(), commonBottom)), m_colors.reserved);
    for (QRectF& tile : tiles) {
        tile.setTop(commonBottom);
        painter.fillRect(tile, m_colors.reserved);
    }
}

void TimelineMarkers::drawReserved(QCPPainter* painter) const
{
    if (!m_analysis || m_analysis->curve.reservedPeak() <= 0)
        return;
    const StepLine line = reservedLine();
    for (const QLineF& level : line.levels)
        fillReserved(*painter, level);
    painter->setPen(linePen(LineKind::Reserved, m_colors.ground()));
    painter->drawLines(line.jumps);
    painter->drawLines(line.levels);
}

} // namespace highwater::gui

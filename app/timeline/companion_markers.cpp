#include "app/timeline/companion_markers.h"

#include <algorithm>

namespace highwater::gui {

CompanionMarkers::CompanionMarkers(QCustomPlot* plot, const CompanionSources& sources)
    : QCPLayerable(plot, QStringLiteral("main")) // over the bands, below all that is written
    , m_sources(sources)
    , m_colors(ThemeColors::light())
{
}

void CompanionMarkers::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis)
{
    m_analysis = std::move(analysis);
    m_axis = axis;
}

QVector<QLineF> CompanionMarkers::strokes(const CompanionLine& line) const
{
    QVector<QLineF> strokes;
    const EventScale& scale = m_analysis->scale(m_axis);
    const auto& points = line.points;
    const auto after = std::upper_bound(points.begin(), points.end(), m_area.xBegin,
        [&](double x, const CompanionPoint& point) { return x < positionOf(point, scale); });
    if (after == points.begin() && (points.empty() || positionOf(points.front(), scale) > m_area.xEnd))
        return strokes;
    auto point = after == points.begin() ? after : std::prev(after);
    double pixel = std::max(m_area.toX(positionOf(*point, scale)), m_area.rect.left());
    double y = m_area.toY(static_cast<double>(point->bytes));
    double highest = y;
    double lowest = y;
    const auto closePixel = [&](double next) {
        if (lowest > highest)
            strokes << QLineF(pixel, highest, pixel, lowest);
        strokes << QLineF(pixel, y, next, y);
        pixel = next;
        highest = lowest = y;
    };
    for (++point; point != points.end(); ++point) {
        const double x = m_area.toX(positionOf(*point, scale));
        if (x > m_area.rect.right())
            break;
        if (x >= pixel + 1)
            closePixel(x);
        y = m_area.toY(static_cast<double>(point->bytes));
        highest = std::min(highest, y);
        lowest = std::max(lowest, y);
    }
    closePixel(m_area.rect.right());
    return strokes;
}

void CompanionMarkers::draw(QCPPainter* painter)
{
    if (!m_analysis)
        return;
    QColor halo = m_colors.surface;
    halo.setAlpha(170);
    for (const ShownCompanion& one : m_sources.lines()) {
        if (!one.shown)
            continue;
        const QVector<QLineF> lines = strokes(one.line);
        painter->setPen(QPen(halo, 4));
        painter->drawLines(lines);
        painter->setPen(QPen(one.color, 2));
        painter->drawLines(lines);
    }
}

} // namespace highwater::gui

#include "app/timeline/auxiliary_markers.h"

#include <algorithm>

namespace highwater::gui {

AuxiliaryMarkers::AuxiliaryMarkers(QCustomPlot* plot, const AuxiliarySources& sources)
    : QCPLayerable(plot, QStringLiteral("main")) // above the bands, below all texts
    , m_sources(sources)
    , m_colors(ThemeColors::light())
{
}

void AuxiliaryMarkers::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis)
{
    m_analysis = std::move(analysis);
    m_axis = axis;
}

StepLine AuxiliaryMarkers::strokes(const AuxiliaryLine& line) const
{
    const EventScale& scale = m_analysis->scale(m_axis);
    const auto& points = line.points;
    const auto firstInView = std::upper_bound(points.begin(), points.end(), m_area.xBegin,
        [&](double x, const AuxiliaryPoint& point) { return x < positionOf(point, scale); });
    if (firstInView == points.begin() && (points.empty() || positionOf(points.front(), scale) > m_area.xEnd))
        return {};
    auto point = firstInView == points.begin() ? firstInView : std::prev(firstInView);
    PixelSteps steps(std::max(m_area.toX(positionOf(*point, scale)), m_area.rect.left()),
        m_area.toY(static_cast<double>(point->bytes)));
    for (++point; point != points.end(); ++point) {
        const double x = m_area.toX(positionOf(*point, scale));
        if (x > m_area.rect.right())
            break;
        steps.stepTo(x, m_area.toY(static_cast<double>(point->bytes)));
    }
    return steps.endAt(m_area.rect.right());
}

void AuxiliaryMarkers::draw(QCPPainter* painter)
{
    if (!m_analysis)
        return;
    QColor halo = m_colors.surface;
    halo.setAlpha(170);
    for (const ShownAuxiliary& auxiliary : m_sources.lines()) {
        if (!auxiliary.shown)
            continue;
        const StepLine line = strokes(auxiliary.line);
        for (const QPen& pen : {QPen(halo, 4), QPen(auxiliary.color, 2)}) {
            painter->setPen(pen);
            painter->drawLines(line.jumps);
            painter->drawLines(line.levels);
        }
    }
}

} // namespace highwater::gui

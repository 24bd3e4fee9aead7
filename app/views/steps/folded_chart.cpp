#include "app/views/steps/folded_chart.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <QPainter>

#include "core/figure/folded_steps_figure.h"

namespace highwater::gui {

FoldedChart::FoldedChart(QWidget* parent)
    : FigureView(parent)
{
    setObjectName(QStringLiteral("foldedSteps"));
    setVisible(false);
    setMaker([this](const FigureOptions& options) {
        return m_folded ? foldedStepsFigure(*m_folded, m_analysis->study, options) : Figure();
    });
}

void FoldedChart::setSteps(std::shared_ptr<const DeviceAnalysis> analysis, std::optional<FoldedSteps> folded)
{
    m_analysis = std::move(analysis);
    m_folded = std::move(folded);
    make();
    setVisible(m_folded.has_value());
}

QPolygonF FoldedChart::lineOf(int step) const
{
    QPolygonF line;
    for (const FigureShape& shape : figure().shapes)
        if (const auto* spot = std::get_if<FigureRect>(&shape);
            spot && spot->id == step && spot->opacity == 0)
            line << QPointF(spot->x + spot->width / 2, spot->y + spot->height / 2);
    return line;
}

QPointF FoldedChart::pointOn(std::size_t step) const
{
    const QPolygonF line = lineOf(static_cast<int>(step));
    return line.isEmpty() ? QPointF() : *std::ranges::min_element(line, {}, &QPointF::y);
}

void FoldedChart::outline(QPainter& painter, int id, const QPen& pen) const
{
    painter.setPen(pen);
    painter.drawPolyline(lineOf(id));
}

} // namespace highwater::gui

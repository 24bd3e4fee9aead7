#include "app/timeline/plot_axes.h"

#include <cmath>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"

namespace highwater::gui {

namespace {
constexpr int kMaxTicks = 10;
constexpr int kTickLength = 4; ///< distance from the edge of the plot, including the axis
constexpr int kLabelOffset = 7; ///< distance from the edge of the plot

/// Maps a position on an axis to pixels, as PlotArea does. QCustomPlot's own mapping is one pixel off at the
/// lower edge.
double toPixel(const QCPAxis& axis, double at)
{
    const QRectF plot = axis.axisRect()->rect();
    const double share = (at - axis.range().lower) / axis.range().size();
    return axis.axisType() == QCPAxis::atLeft ? plot.bottom() - share * plot.height()
                                              : plot.left() + share * plot.width();
}

/// Returns the edge at which bands begin or end, in logical pixels: the left or upper edge of the first
/// device pixel whose middle is not before `position`. This is exact with a fractional pixel ratio too.
double edgeOfBands(double position, double pixelRatio)
{
    return std::ceil(position * pixelRatio - 0.5) / pixelRatio;
}
} // namespace

PlotAxes::PlotAxes(QCustomPlot& plot)
    : m_plot(plot)
    , m_colors(ThemeColors::light())
{
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) {
        axis->setVisible(false);
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->grid()->setVisible(false);
    }
}

void PlotAxes::fit()
{
    fitTicks(*m_plot.xAxis, kMaxTicks, m_texts, m_texts.width(m_name));
}

/// Returns the labels of the bottom axis and its name.
std::vector<PlotAxes::Label> PlotAxes::bottomLabels() const
{
    if (!m_isLabelled)
        return {};
    std::vector<Label> labels = labelsOf(*m_plot.xAxis);
    const QRectF plot = m_plot.axisRect()->rect();
    const double width = m_texts.width(m_name);
    if (!m_name.isEmpty())
        labels.push_back({m_name,
            QRectF(plot.right() - width, plot.bottom() + kLabelOffset, width, m_texts.lineHeight())});
    return labels;
}

std::vector<QRectF> PlotAxes::labelPlaces() const
{
    std::vector<QRectF> places;
    for (const Label& label : bottomLabels())
        places.push_back(label.rect.adjusted(-2, -3, 2, 1));
    return places;
}

/// Returns the labels of an axis that do not extend beyond the widget.
std::vector<PlotAxes::Label> PlotAxes::labelsOf(const QCPAxis& axis) const
{
    const QRectF plot = axis.axisRect()->rect();
    const QRectF room = m_plot.rect();
    const double height = m_texts.lineHeight();
    std::vector<Label> placed;
    for (const AxisTick& tick : ticksOf(axis)) {
        const double width = m_texts.width(tick.label);
        const double at = toPixel(axis, tick.position);
        const QPointF corner = axis.axisType() == QCPAxis::atLeft
            ? QPointF(plot.left() - kLabelOffset - width, std::round(at - height / 2))
            : QPointF(std::round(at - width / 2), plot.bottom() + kLabelOffset);
        const QRectF rect(corner, QSizeF(width, height));
        if (!tick.label.isEmpty() && room.contains(rect))
            placed.push_back({tick.label, rect});
    }
    return placed;
}

void PlotAxes::drawGrid(QPainter& painter) const
{
    const QRectF plot = m_plot.axisRect()->rect();
    for (const AxisTick& tick : ticksOf(*m_plot.yAxis))
        painter.fillRect(
            QRectF(plot.left(), std::round(toPixel(*m_plot.yAxis, tick.position)), plot.width(), 1),
            m_colors.grid);
}

void PlotAxes::drawTicks(QPainter& painter) const
{
    const QRectF plot = m_plot.axisRect()->rect();
    for (const AxisTick& tick : ticksOf(*m_plot.xAxis)) {
        const double x = std::round(toPixel(*m_plot.xAxis, tick.position));
        painter.fillRect(QRectF(x, plot.bottom(), 1, kTickLength), m_colors.border);
    }
    for (const AxisTick& tick : ticksOf(*m_plot.yAxis)) {
        const double y = std::round(toPixel(*m_plot.yAxis, tick.position));
        painter.fillRect(QRectF(plot.left() - kTickLength, y, kTickLength, 1), m_colors.border);
    }
}

void PlotAxes::draw(QPainter& painter) const
{
    const QRectF plot = m_plot.axisRect()->rect();
    const double pixels = painter.device()->devicePixelRatio();
    const double left = edgeOfBands(plot.left(), pixels);
    const double bottom = edgeOfBands(plot.bottom(), pixels);
    painter.fillRect(QRectF(left - 1, bottom, plot.width() + 1, 1), m_colors.border);
    painter.fillRect(QRectF(left - 1, plot.top(), 1, plot.height()), m_colors.border);
    drawTicks(painter);
    painter.setPen(m_colors.quietText);
    for (const Label& label : labelsOf(*m_plot.yAxis))
        drawText(painter, label.rect.topLeft(), label.text);
    for (const Label& label : bottomLabels())
        drawText(painter, label.rect.topLeft(), label.text);
}

void PlotAxes::drawText(QPainter& painter, const QPointF& topLeft, const QString& text) const
{
    m_texts.drawOn(painter, topLeft, text, m_colors.surface);
}

} // namespace highwater::gui

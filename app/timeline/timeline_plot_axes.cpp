#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/hover_card.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"

// The axes of the plot: their ticks, margins and names.

namespace highwater::gui {

namespace {
constexpr double kLabelShare = 11.0 / 12;
constexpr int kLeft = 48;
constexpr int kRight = 16;
constexpr int kTop = 4;
constexpr int kBottom = 24;
constexpr int kBottomWithoutNames = 6;
} // namespace

/// A little smaller than other texts.
QFont TimelinePlot::labelFont() const
{
    QFont small = font();
    if (small.pixelSize() > 0)
        small.setPixelSize(std::max(1, qRound(small.pixelSize() * kLabelShare)));
    else
        small.setPointSizeF(small.pointSizeF() * kLabelShare);
    return small;
}

void TimelinePlot::setUpAxes()
{
    canvas().axisRect()->setAutoMargins(QCP::msNone);
    setTicks(*canvas().yAxis, byteTicks, 6);
    for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis}) {
        axis->setTickLength(0, 3);
        axis->setTickLabelPadding(4);
        axis->grid()->setSubGridVisible(false);
    }
    canvas().xAxis->grid()->setVisible(false);
    canvas().yAxis->grid()->setZeroLinePen(Qt::NoPen);
    applyMargins();
    applyAxisKind({});
}

void TimelinePlot::applyMargins()
{
    // Fixed, so that the plot does not change its width, and with it every pixel, with the labels.
    const QFontMetrics metrics(labelFont());
    int left = kLeft;
    for (const char* widest : {"22.75 GiB", "1,200 MiB"})
        left = std::max(left, metrics.horizontalAdvance(QLatin1String(widest)) + 8);
    canvas().xAxis->setTickLabels(m_stepsAreNamed);
    canvas().axisRect()->setMargins(QMargins(
        left, kTop, kRight, m_stepsAreNamed ? std::max(kBottom, metrics.height() + 8) : kBottomWithoutNames));
    for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis})
        axis->setTickLabelFont(labelFont());
    m_axisTexts.setFont(labelFont());
    m_markers->setFont(labelFont());
    m_overlay->setFont(labelFont());
    m_card->setFont(labelFont());
}

/// What the horizontal axis counts, at its end; the tool bar and the status line say what the bytes are.
void TimelinePlot::drawAxisNames(QCPPainter* painter) const
{
    if (!m_stepsAreNamed)
        return;
    const QRectF plot = area().rect;
    painter->setPen(m_colors.quietText);
    m_axisTexts.draw(*painter, {plot.right() - xNameWidth(), plot.bottom() + 7}, m_xName);
}

/// Of those below the horizontal axis.
std::vector<QRectF> TimelinePlot::tickLabels() const
{
    const QCPAxis& axis = *canvas().xAxis;
    const QFontMetricsF metrics(labelFont(), this);
    std::vector<QRectF> places;
    const QVector<double> at = axis.tickVector();
    const QVector<QString> labels = axis.tickVectorLabels();
    for (qsizetype i = 0; axis.tickLabels() && i < std::min(at.size(), labels.size()); ++i) {
        const double width = metrics.horizontalAdvance(labels[i]) + 4;
        if (!labels[i].isEmpty())
            places.emplace_back(
                axis.coordToPixel(at[i]) - width / 2, area().rect.bottom() + 4, width, metrics.height() + 4);
    }
    return places;
}

void TimelinePlot::setStepsNamed(bool named)
{
    if (m_stepsAreNamed == named)
        return;
    m_stepsAreNamed = named;
    applyMargins();
    layOutPlot();
}

double TimelinePlot::xNameWidth() const
{
    return m_axisTexts.width(m_xName);
}

void TimelinePlot::applyAxisKind(const std::vector<AxisMark>& marks)
{
    switch (axisKind()) {
    case AxisKind::Event:
        setTicks(*canvas().xAxis, countTicks);
        m_xName = tr("event");
        break;
    case AxisKind::Time:
        setTicks(*canvas().xAxis, durationTicks);
        m_xName = tr("time since the first event");
        break;
    case AxisKind::Aligned:
        setTicks(*canvas().xAxis, [marks, last = m_range.x().highest](double begin, double end, int wanted) {
            return markTicks(marks, last, begin, end, wanted);
        });
        m_xName = tr("step");
        break;
    }
}

} // namespace highwater::gui

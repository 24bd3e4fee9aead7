#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/hover_card.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/workspace/view/analysis_settings.h"

// The axes of the plot: their ticks, margins and names.

namespace highwater::gui {

namespace {
constexpr double kLabelShare = 11.0 / 12;
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
    const QFontMetrics metrics(font());
    const int left = metrics.horizontalAdvance(QStringLiteral("20,000 MiB")) + 8;
    canvas().axisRect()->setMargins(
        QMargins(left, static_cast<int>(TimelineMarkers::kLabelStrip) + 4, 16, metrics.height() + 10));
    for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis})
        axis->setTickLabelFont(labelFont());
    m_markers->setFont(labelFont());
    m_overlay->setFont(labelFont());
    m_card->setFont(labelFont());
}

/// What the axes count: above the one, at the end of the other.
void TimelinePlot::drawAxisNames(QCPPainter* painter) const
{
    const QRectF plot = area().rect;
    const QFontMetricsF metrics(labelFont(), this);
    painter->setFont(labelFont());
    painter->setPen(m_colors.quietText);
    const QRectF above(0, plot.top() - metrics.height() - 8, plot.left() - 7, metrics.height());
    const QString quantity = metrics.elidedText(byteAxisName(), Qt::ElideRight, above.width());
    painter->drawText(above, Qt::AlignRight | Qt::AlignVCenter, quantity);
    painter->drawText(QRectF(plot.right() - xNameWidth(), plot.bottom() + 7, xNameWidth(), metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, m_xName);
}

QString TimelinePlot::byteAxisName() const
{
    return m_analysis ? quantityText(*m_analysis) : QString();
}

double TimelinePlot::xNameWidth() const
{
    return std::ceil(QFontMetricsF(labelFont(), this).horizontalAdvance(m_xName));
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

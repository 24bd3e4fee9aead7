#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/fix_overlay.h"
#include "app/timeline/hover_card.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"

// The axes of the plot: their ticks, margins and names.

namespace highwater::gui {

namespace {
constexpr double kLabelShare = 11.0 / 12;
constexpr int kLeft = 48;
constexpr int kRight = 16;
constexpr int kBottom = 24;
constexpr int kBottomWithoutNames = 6;
} // namespace

/// Returns a font slightly smaller than that of other texts.
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
    applyMargins();
    applyAxisKind({});
}

void TimelinePlot::applyMargins()
{
    // Fixed margins: otherwise the plot, and with it every pixel, would change its width with the labels.
    const QFontMetrics metrics(labelFont());
    int left = kLeft;
    for (const char* widest : {"22.75 GiB", "1,200 MiB"})
        left = std::max(left, metrics.horizontalAdvance(QLatin1String(widest)) + 8);
    canvas().axisRect()->setMargins(QMargins(left, metrics.height() + 2, kRight,
        m_axes.isLabelled() ? std::max(kBottom, metrics.height() + 8) : kBottomWithoutNames));
    m_axes.setFont(labelFont());
    m_markers->setFont(labelFont());
    m_overlay->setFont(labelFont());
    m_fix->setFont(labelFont());
    m_card->setFont(labelFont());
}

void TimelinePlot::setAxisLabelled(bool labelled)
{
    if (m_axes.isLabelled() == labelled)
        return;
    m_axes.setLabelled(labelled);
    applyMargins();
    layOutPlot();
}

void TimelinePlot::applyAxisKind(const std::vector<AxisMark>& marks)
{
    switch (axisKind()) {
    case AxisKind::Event:
        setTicks(*canvas().xAxis, countTicks);
        m_axes.setName(tr("event"));
        break;
    case AxisKind::Time:
        setTicks(*canvas().xAxis, durationTicks);
        m_axes.setName(tr("time since the first event"));
        break;
    case AxisKind::Aligned:
        setTicks(*canvas().xAxis,
            [marks, last = m_visibleRange.x().highest](
                double begin, double end, int wanted) { return markTicks(marks, last, begin, end, wanted); });
        m_axes.setName({}); // the labels of the ticks name their steps
        break;
    }
}

} // namespace highwater::gui

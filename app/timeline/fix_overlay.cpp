#include "app/timeline/fix_overlay.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/parts/label_recorder.h"
#include "app/timeline/timeline_markers.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/usage/pixel_columns.h"

namespace highwater::gui {

namespace {

constexpr double kFixLabelMargin = 6; ///< between the border of the label and its text
constexpr double kFixLabelGap = 6; ///< between the line and the label
constexpr int kHaloOpacity = 200;

} // namespace

FixOverlay::FixOverlay(QCustomPlot* plot, const TimelineMarkers& markers)
    : QCPLayerable(plot, QStringLiteral("overlay"))
    , m_markers(markers)
    , m_colors(ThemeColors::light())
{
}

/// The run may have changed since the fix was computed.
bool FixOverlay::isShown() const
{
    return m_fixed && m_scale && m_fixed->curve.eventCount() > 0
        && m_fixed->curve.eventCount() == m_scale->eventCount();
}

QString FixOverlay::label() const
{
    if (!isShown())
        return {};
    const QString fit = toQString(m_fixed->fitText);
    return toQString(m_fixed->peakText) + (fit.isEmpty() ? QString() : QStringLiteral(" · ") + fit);
}

StepLine FixOverlay::line() const
{
    if (!isShown())
        return {};
    const double pixels = mParentPlot->bufferDevicePixelRatio();
    std::vector<Bytes> totals;
    for (const PixelColumn& column : pixelColumns(
             m_fixed->curve, *m_scale, m_area.xBegin, m_area.xEnd, qRound(m_area.rect.width() * pixels)))
        totals.push_back(column.bytes);
    return lineOfColumns(totals, m_area, pixels);
}

void FixOverlay::draw(QCPPainter* painter)
{
    if (!isShown())
        return;
    QColor halo = m_colors.surface;
    halo.setAlpha(kHaloOpacity);
    const StepLine strokes = line();
    for (const QPen& pen : {QPen(halo, 4), QPen(m_colors.accent, 2)}) {
        painter->setPen(pen);
        painter->drawLines(strokes.jumps);
        painter->drawLines(strokes.levels);
    }
    drawLabel(*painter);
}

/// Returns a place next to the new peak, above the line unless only the place below it is free of labels. A
/// peak out of view is labelled at the nearest edge.
QRectF FixOverlay::labelRect(const QSizeF& size) const
{
    const CurvePeak peak = m_fixed->curve.peak();
    const QRectF& plot = m_area.rect;
    const double middle = m_area.toX(m_scale->positionOf(peak.event));
    const double line = m_area.toY(static_cast<double>(peak.bytes));
    const auto placed = [&](double top) {
        const double left
            = std::max(plot.left(), std::min(middle - size.width() / 2, plot.right() - size.width()));
        return QRectF(QPointF(std::round(left),
                          std::round(std::max(plot.top(), std::min(top, plot.bottom() - size.height())))),
            size);
    };
    const QRectF above = placed(line - kFixLabelGap - size.height());
    const QRectF below = placed(line + kFixLabelGap);
    const bool fitsAbove = above.bottom() < line && m_markers.isFreeOfLabels(above);
    return fitsAbove || !m_markers.isFreeOfLabels(below) ? above : below;
}

void FixOverlay::drawLabel(QCPPainter& painter) const
{
    const QString text = label();
    QFont bold = m_font;
    bold.setBold(true);
    painter.setFont(bold);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QSizeF size(
        std::ceil(metrics.horizontalAdvance(text)) + 2 * kFixLabelMargin, std::ceil(metrics.height()) + 4);
    const QRectF place = labelRect(size);
    painter.setPen(m_colors.accent);
    painter.setBrush(m_colors.surface);
    painter.drawRect(place);
    painter.setPen(m_colors.text);
    painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, text);
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({text, place, m_area.rect, m_colors.text, m_colors.surface, text});
}

} // namespace highwater::gui

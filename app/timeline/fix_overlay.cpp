#include "app/timeline/fix_overlay.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/parts/label_recorder.h"
#include "app/timeline/timeline_markers.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/usage/pixel_columns.h"

namespace highwater::gui {

namespace {

constexpr double kFixLabelMargin = 6; ///< between the border of the label and its text
constexpr double kFixLabelGap = 6; ///< between the line and the label
constexpr double kFixLabelStep = 24; ///< between the places that are tried for the label
constexpr int kHaloOpacity = 200;

/// Returns the topmost and the lowest y of the line between two x; without a line there, `otherwise` twice.
std::pair<double, double> rowsOf(const StepLine& line, double left, double right, double otherwise)
{
    std::optional<std::pair<double, double>> rows;
    for (const QLineF& level : line.levels)
        if (level.x2() >= left && level.x1() <= right)
            rows = rows ? std::pair(std::min(rows->first, level.y1()), std::max(rows->second, level.y1()))
                        : std::pair(level.y1(), level.y1());
    return rows.value_or(std::pair(otherwise, otherwise));
}

} // namespace

FixOverlay::FixOverlay(QCustomPlot* plot, const BandPlottable& bands, const TimelineMarkers& markers)
    : QCPLayerable(plot, QStringLiteral("overlay"))
    , m_bands(bands)
    , m_markers(markers)
    , m_colors(ThemeColors::light())
{
}

/// False also for a fix of other events: the run may have changed since the fix was computed.
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
    std::vector<QRectF> labels = m_bands.labelPlaces();
    std::ranges::copy(m_markers.labelPlaces(), std::back_inserter(labels));
    QRegion free = clipRect();
    for (const QRectF& label : labels)
        free -= label.toAlignedRect();
    painter->save();
    painter->setClipRegion(free, Qt::IntersectClip);
    for (const QPen& pen : {QPen(halo, 4), QPen(m_colors.accent, 2)}) {
        painter->setPen(pen);
        painter->drawLines(strokes.jumps);
        painter->drawLines(strokes.levels);
    }
    painter->restore();
    drawLabel(*painter, strokes);
}

/// Returns the free place nearest to the new peak, above the line or below it; if there is none, the place
/// above the peak. A peak out of view is labelled at the nearest edge.
QRectF FixOverlay::labelRect(const QSizeF& size, const StepLine& strokes) const
{
    const CurvePeak peak = m_fixed->curve.peak();
    const QRectF& plot = m_area.rect;
    const std::vector<QRectF> bandLabels = m_bands.labelPlaces();
    const auto isFree = [&](const QRectF& place) {
        return plot.contains(place) && m_markers.isFreeOfLabels(place)
            && std::ranges::none_of(bandLabels, [&](const QRectF& label) { return label.intersects(place); });
    };
    const double peakRow = m_area.toY(static_cast<double>(peak.bytes));
    const double rightmost = std::max(plot.left(), plot.right() - size.width());
    const double centred = std::round(
        std::clamp(m_area.toX(m_scale->positionOf(peak.event)) - size.width() / 2, plot.left(), rightmost));
    for (double away = 0; away < plot.width(); away += kFixLabelStep)
        for (const double left : {centred - away, centred + away}) {
            const auto [top, bottom] = rowsOf(strokes, left, left + size.width(), peakRow);
            for (const double y : {top - kFixLabelGap - size.height(), bottom + kFixLabelGap})
                if (const QRectF place(QPointF(left, std::round(y)), size); isFree(place))
                    return place;
        }
    const double top = std::clamp(peakRow - kFixLabelGap - size.height(), plot.top(),
        std::max(plot.top(), plot.bottom() - size.height()));
    return {QPointF(centred, std::round(top)), size};
}

void FixOverlay::drawLabel(QCPPainter& painter, const StepLine& strokes) const
{
    const QString text = label();
    QFont bold = m_font;
    bold.setBold(true);
    painter.setFont(bold);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QSizeF size(
        std::ceil(metrics.horizontalAdvance(text)) + 2 * kFixLabelMargin, std::ceil(metrics.height()) + 4);
    const QRectF place = m_labelPlace = labelRect(size, strokes);
    painter.setPen(m_colors.accent);
    painter.setBrush(m_colors.surface);
    painter.drawRect(place);
    painter.setPen(m_colors.text);
    painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, text);
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({text, place, m_area.rect, m_colors.text, m_colors.surface, text});
}

} // namespace highwater::gui

#include "app/views/step_bars_layer.h"

#include <algorithm>

#include "app/workspace/category_colors.h"
#include "app/workspace/note_badge.h"
#include "app/workspace/qt_text.h"

namespace highwater::gui {

namespace {
constexpr double kWidestBar = 90; ///< pixels
} // namespace

StepBars::StepBars(StepChart* chart)
    : QCPLayerable(chart, QStringLiteral("main"))
    , m_chart(*chart)
{
}

std::pair<double, double> StepBars::edges(const StepBar& bar) const
{
    const double left = m_chart.xAxis->coordToPixel(static_cast<double>(bar.first) - 0.5);
    const double right = m_chart.xAxis->coordToPixel(static_cast<double>(bar.last) - 0.5);
    const double gap = right - left > 6 ? (right - left) * 0.18 : 0;
    const double width = std::min(right - left - gap, kWidestBar);
    return {(left + right - width) / 2, (left + right + width) / 2};
}

void StepBars::draw(QCPPainter* painter)
{
    if (!m_chart.m_analysis)
        return;
    for (const StepBar& bar : m_chart.m_shown)
        drawBar(painter, bar);
    drawEdges(painter);
    drawCapacity(painter);
    drawLabels(painter);
    drawNotes(painter);
}

void StepBars::drawBar(QCPPainter* painter, const StepBar& bar) const
{
    const auto [left, right] = edges(bar);
    const CategoryBytes& parts = m_chart.m_analysis->categoriesAtStepPeaks[bar.shown];
    Bytes below = 0;
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        if (parts[i] == 0)
            continue;
        const QRectF part(QPointF(left, y(below + parts[i])), QPointF(right, y(below)));
        painter->fillRect(part, categoryColor(static_cast<Category>(i)));
        below += parts[i];
    }
    const bool selected
        = m_chart.m_selected && *m_chart.m_selected >= bar.first && *m_chart.m_selected < bar.last;
    if (selected) {
        painter->setPen(QPen(m_chart.m_colors.text, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(QPointF(left - 2, y(below) - 2), QPointF(right + 1, y(0))));
    }
}

void StepBars::drawEdges(QCPPainter* painter) const
{
    QPolygonF starts;
    QPolygonF ends;
    for (const StepBar& bar : m_chart.m_shown) {
        const auto [left, right] = edges(bar);
        starts << QPointF(left, y(stepOf(bar).startBytes)) << QPointF(right, y(stepOf(bar).startBytes));
        ends << QPointF(left, y(stepOf(bar).endBytes)) << QPointF(right, y(stepOf(bar).endBytes));
    }
    painter->setPen(QPen(m_chart.m_colors.text, 1, Qt::DotLine));
    painter->drawPolyline(starts);
    painter->setPen(QPen(m_chart.m_colors.text, 1, Qt::DashLine));
    painter->drawPolyline(ends);
}

void StepBars::drawCapacity(QCPPainter* painter) const
{
    if (!m_chart.m_capacity)
        return;
    const double at = y(m_chart.m_capacity->bytes);
    const QRect rect = m_chart.axisRect()->rect();
    painter->setPen(QPen(m_chart.m_colors.danger, 1));
    painter->drawLine(QPointF(rect.left(), at), QPointF(rect.right(), at));
    const int height = QFontMetrics(m_chart.font()).height();
    const QRectF place(rect.left(), at - height - 1, rect.width() - 4, height);
    painter->setFont(m_chart.font());
    painter->drawText(
        place, Qt::AlignRight, StepChart::tr("capacity %1").arg(toQString(toText(*m_chart.m_capacity))));
}

void StepBars::drawLabels(QCPPainter* painter) const
{
    painter->setFont(m_chart.font());
    const QFontMetrics metrics(m_chart.font());
    for (const StepBar& bar : m_chart.m_shown) {
        const QString text = bytesText(stepOf(bar).peakBytes);
        const double room = m_chart.xAxis->coordToPixel(static_cast<double>(bar.last) - 0.5)
            - m_chart.xAxis->coordToPixel(static_cast<double>(bar.first) - 0.5);
        if (metrics.horizontalAdvance(text) + 6 > room)
            continue;
        const auto [left, right] = edges(bar);
        painter->setPen(m_chart.m_colors.quietText);
        const QRectF place((left + right) / 2 - room / 2, y(stepOf(bar).peakBytes) - metrics.height() - 2,
            room, metrics.height());
        painter->drawText(place, Qt::AlignCenter, text);
    }
}

void StepBars::drawNotes(QCPPainter* painter) const
{
    std::vector<NotedPlace> places;
    for (const StepBar& bar : m_chart.m_shown)
        if (std::vector<const NoteFlag*> notes = m_chart.notesOn(bar); !notes.empty()) {
            const auto [left, right] = edges(bar);
            places.push_back({(left + right) / 2, y(stepOf(bar).peakBytes), std::move(notes)});
        }
    painter->setFont(m_chart.font());
    paintNotes(*painter, m_chart.axisRect()->rect(), places);
}

} // namespace highwater::gui

#include "app/views/steps/step_bars_layer.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/category_colors.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {
constexpr double kWidestBar = 90; ///< pixels
} // namespace

StepBars::StepBars(QCustomPlot* chart, const ShownSteps& shown)
    : QCPLayerable(chart, QStringLiteral("main"))
    , m_shown(shown)
{
}

std::pair<double, double> StepBars::edges(const StepBar& bar) const
{
    const double left = mParentPlot->xAxis->coordToPixel(static_cast<double>(bar.first) - 0.5);
    const double right = mParentPlot->xAxis->coordToPixel(static_cast<double>(bar.last) - 0.5);
    const double gap = right - left > 6 ? (right - left) * 0.18 : 0;
    const double width = std::min(right - left - gap, kWidestBar);
    return {(left + right - width) / 2, (left + right + width) / 2};
}

void StepBars::draw(QCPPainter* painter)
{
    if (!m_shown.analysis)
        return;
    for (const StepBar& bar : m_shown.bars)
        drawBar(painter, bar);
    drawEdges(painter);
    drawCapacity(painter);
    drawLabels(painter);
    drawNotes(painter);
}

void StepBars::drawBar(QCPPainter* painter, const StepBar& bar) const
{
    const auto [left, right] = edges(bar);
    const CategoryBytes& parts = m_shown.analysis->categoriesAtStepPeaks[bar.shown];
    Bytes below = 0;
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        if (parts[i] == 0)
            continue;
        const QRectF part(QPointF(left, y(below + parts[i])), QPointF(right, y(below)));
        painter->fillRect(part, categoryColor(static_cast<Category>(i)));
        below += parts[i];
    }
    const bool selected = m_shown.selected && *m_shown.selected >= bar.first && *m_shown.selected < bar.last;
    if (selected) {
        painter->setPen(QPen(m_shown.colors.text, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(QPointF(left - 2, y(below) - 2), QPointF(right + 1, y(0))));
    }
}

void StepBars::drawEdges(QCPPainter* painter) const
{
    QPolygonF starts;
    QPolygonF ends;
    for (const StepBar& bar : m_shown.bars) {
        const auto [left, right] = edges(bar);
        starts << QPointF(left, y(stepOf(bar).startBytes)) << QPointF(right, y(stepOf(bar).startBytes));
        ends << QPointF(left, y(stepOf(bar).endBytes)) << QPointF(right, y(stepOf(bar).endBytes));
    }
    painter->setPen(QPen(m_shown.colors.text, 1, Qt::DotLine));
    painter->drawPolyline(starts);
    painter->setPen(QPen(m_shown.colors.text, 1, Qt::DashLine));
    painter->drawPolyline(ends);
}

void StepBars::drawCapacity(QCPPainter* painter) const
{
    if (!m_shown.capacity)
        return;
    const double at = y(m_shown.capacity->bytes);
    const QRect rect = mParentPlot->axisRect()->rect();
    painter->setPen(QPen(m_shown.colors.danger, 1));
    painter->drawLine(QPointF(rect.left(), at), QPointF(rect.right(), at));
    const int height = QFontMetrics(mParentPlot->font()).height();
    const QRectF place(rect.left(), at - height - 1, rect.width() - 4, height);
    painter->setFont(mParentPlot->font());
    painter->drawText(
        place, Qt::AlignRight, QObject::tr("capacity %1").arg(toQString(toText(*m_shown.capacity))));
}

void StepBars::drawLabels(QCPPainter* painter) const
{
    painter->setFont(mParentPlot->font());
    const QFontMetrics metrics(mParentPlot->font());
    for (const StepBar& bar : m_shown.bars) {
        const QString text = bytesText(stepOf(bar).peakBytes);
        const double room = mParentPlot->xAxis->coordToPixel(static_cast<double>(bar.last) - 0.5)
            - mParentPlot->xAxis->coordToPixel(static_cast<double>(bar.first) - 0.5);
        if (metrics.horizontalAdvance(text) + 6 > room)
            continue;
        const auto [left, right] = edges(bar);
        painter->setPen(m_shown.colors.quietText);
        const QRectF place((left + right) / 2 - room / 2, y(stepOf(bar).peakBytes) - metrics.height() - 2,
            room, metrics.height());
        painter->drawText(place, Qt::AlignCenter, text);
    }
}

void StepBars::drawNotes(QCPPainter* painter) const
{
    std::vector<NotedPlace> places;
    for (const StepBar& bar : m_shown.bars)
        if (std::vector<const NoteFlag*> notes = m_shown.notesOn(bar); !notes.empty()) {
            const auto [left, right] = edges(bar);
            places.push_back({(left + right) / 2, y(stepOf(bar).peakBytes), std::move(notes)});
        }
    painter->setFont(mParentPlot->font());
    paintNotes(*painter, mParentPlot->axisRect()->rect(), places);
}

} // namespace highwater::gui

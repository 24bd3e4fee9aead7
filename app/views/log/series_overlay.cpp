#include "app/views/log/series_overlay.h"

#include <algorithm>

#include "app/views/parts/elided_label.h"
#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {

constexpr double kTextMargin = 4;
constexpr int kLeastMargin = 15;
constexpr int kWidestName = 160;

/// Returns a place for the text above the plot: before x, or after it where the text would leave the widget.
QRectF placeAt(double x, double width, const QRectF& row)
{
    const double room = std::max(x - row.left(), row.right() - x) - kTextMargin;
    const double shown = std::min(width, room);
    const bool isBefore = x - kTextMargin - shown >= row.left();
    return {isBefore ? x - kTextMargin - shown : x + kTextMargin, row.top(), shown, row.height()};
}

} // namespace

SeriesOverlay::SeriesOverlay(QCustomPlot* chart)
    : QCPLayerable(chart, QStringLiteral("overlay"))
{
}

QMargins SeriesOverlay::margins(const QFont& font) const
{
    const QFontMetrics metrics(font);
    int widest = 0;
    for (const LineEnd& end : namedLines())
        widest = std::max(widest, metrics.horizontalAdvance(end.name));
    const int right = widest == 0 ? 0 : std::min(widest, kWidestName) + 2 * static_cast<int>(kTextMargin);
    const int top = m_failures.empty() ? 0 : metrics.height() + static_cast<int>(kTextMargin);
    return {kLeastMargin, std::max(top, kLeastMargin), std::max(right, kLeastMargin), kLeastMargin};
}

void SeriesOverlay::draw(QCPPainter* painter)
{
    painter->setFont(mParentPlot->font());
    drawFailures(*painter);
    drawNames(*painter);
    drawNotes(*painter);
}

/// Draws each failure as a line from top to bottom, with its text above the plot. A text that would meet the
/// one before is left out; the list of failures has it.
void SeriesOverlay::drawFailures(QCPPainter& painter) const
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    const double height = painter.fontMetrics().height();
    const QRectF row(0, chart.top() - height - kTextMargin / 2, mParentPlot->width(), height);
    std::vector<QRectF> taken;
    for (const Failure& failure : m_failures) {
        const double x = mParentPlot->xAxis->coordToPixel(failure.x);
        if (x < chart.left() || x > chart.right())
            continue;
        painter.setPen(linePen(LineKind::OutOfMemory, m_colors.ground()));
        painter.drawLine(QLineF(x, row.top(), x, chart.bottom()));
        const QRectF place = placeAt(x, painter.fontMetrics().horizontalAdvance(failure.text) + 1, row);
        if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(place); }))
            continue;
        const QFontMetricsF metrics(painter.font());
        QString text = shortenedToFit(failure.text,
            [&](const QString& part) { return metrics.horizontalAdvance(part) <= place.width(); });
        if (text != failure.text && text.endsWith(QChar(0x2026)) && failure.text.startsWith(text.chopped(1)))
            text.chop(1); // the clauses that are left say less, but all of it is true
        painter.setPen(m_colors.danger);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
        taken.push_back(place);
    }
}

std::vector<SeriesOverlay::LineEnd> SeriesOverlay::namedLines() const
{
    std::vector<LineEnd> lines = m_ends;
    if (m_capacity)
        lines.push_back(*m_capacity);
    std::ranges::stable_sort(lines, std::greater(), &LineEnd::y);
    return lines;
}

/// Draws the name of each line to the right of the plot, at the height of its last point or as near to it as
/// the others leave room.
void SeriesOverlay::drawNames(QCPPainter& painter) const
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    const double height = painter.fontMetrics().height();
    const std::vector<LineEnd> lines = namedLines();
    std::vector<double> tops;
    for (const LineEnd& line : lines) {
        const double top = mParentPlot->yAxis->coordToPixel(line.y) - height / 2;
        tops.push_back(std::max(top, tops.empty() ? chart.top() : tops.back() + height));
    }
    double lowest = chart.bottom() - height;
    for (auto top = tops.rbegin(); top != tops.rend(); ++top) {
        *top = std::min(*top, lowest);
        lowest = *top - height;
    }
    const double left = chart.right() + kTextMargin;
    const double width = mParentPlot->width() - left;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const QColor& color = lines[i].color;
        painter.setPen(color.isValid() ? readableLine(color, m_colors, kReadableContrast) : m_colors.text);
        painter.drawText(QRectF(left, tops[i], width, height), Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(lines[i].name, Qt::ElideMiddle, static_cast<int>(width)));
    }
}

void SeriesOverlay::drawNotes(QCPPainter& painter) const
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    std::vector<NotedPlace> places;
    for (const auto& [key, note] : m_notes) {
        const double x = mParentPlot->xAxis->coordToPixel(key);
        if (x < chart.left() || x > chart.right())
            continue;
        if (!places.empty() && places.back().x == x)
            places.back().notes.push_back(&note);
        else
            places.push_back({x, chart.bottom(), {&note}});
    }
    paintNotes(painter, chart, places);
}

} // namespace highwater::gui

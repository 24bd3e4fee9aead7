#include <algorithm>
#include <cmath>

#include <QPaintEvent>
#include <QPainter>

#include "app/timeline/parts/label_recorder.h"
#include "app/views/ranks/rank_heat_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/drawing/ticks.h"

// Paints the map: a cached picture of the rows in view, and over it the marks that follow the pointer.

namespace highwater::gui {

namespace {
constexpr double kScaleBar = 90; ///< width of the bar of colours, in pixels, where there is room
constexpr double kNarrowestScaleBar = 24;
constexpr double kScaleGap = 8;
constexpr double kFailureMark = 7;
} // namespace

/// Returns the cells as an image. Cells narrower or lower than a pixel share one pixel, which shows the
/// highest of them. O(rows in view × columns + pixels).
QImage RankHeatView::cells() const
{
    const QRectF plot = plotRect();
    const double ratio = devicePixelRatioF();
    const auto pixelWidth = std::max(1, static_cast<int>(plot.width() * ratio));
    const auto pixelHeight = std::max(1, static_cast<int>(plot.height() * ratio));
    QImage image(pixelWidth, pixelHeight, QImage::Format_RGB32);
    std::vector<QRgb> colors;
    for (int shade = 0; shade <= RankHeatMap::kStrongestShade; ++shade)
        colors.push_back(m_map->colorOf(shade, palette()) | 0xff000000u);
    const auto columns = heatSpans(0, m_map->columns(), static_cast<std::size_t>(pixelWidth));
    std::vector<std::size_t> columnOf;
    for (int x = 0; x < pixelWidth; ++x)
        columnOf.push_back(
            static_cast<std::size_t>(x) * columns.size() / static_cast<std::size_t>(pixelWidth));
    std::vector<QRgb> line(columns.size());
    std::vector<std::int8_t> shades;
    std::size_t lastDrawn = RankHeatMap::kNoRow;
    for (int y = 0; y < pixelHeight; ++y) {
        const double top = m_firstRow + m_rowCount * y / pixelHeight;
        const double next = m_firstRow + m_rowCount * (y + 1) / pixelHeight;
        const auto first = std::min(m_map->rows() - 1, static_cast<std::size_t>(top));
        const auto last = std::clamp(static_cast<std::size_t>(next), first + 1, m_map->rows());
        auto* const pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        if (first == lastDrawn && last == first + 1) {
            std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(y - 1)), pixelWidth, pixels);
            continue;
        }
        lastDrawn = first;
        m_map->shadesOf({first, last}, shades);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::int8_t shade
                = *std::max_element(shades.begin() + static_cast<std::ptrdiff_t>(columns[i].first),
                    shades.begin() + static_cast<std::ptrdiff_t>(columns[i].last));
            line[i] = shade == RankHeatMap::kNoShade ? m_colors.surface.rgb()
                                                     : colors[static_cast<std::size_t>(shade)];
        }
        for (int x = 0; x < pixelWidth; ++x)
            pixels[x] = line[columnOf[static_cast<std::size_t>(x)]];
    }
    image.setDevicePixelRatio(ratio);
    return image;
}

void RankHeatView::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    if (LabelRecorder::current()) {
        drawSheet(painter);
        drawRanks(painter);
        if (!isEmpty())
            drawMarks(painter);
        return;
    }
    if (m_picture.isNull()) {
        if (m_sheet.isNull())
            makeSheet();
        m_picture = m_sheet;
        QPainter cachePainter(&m_picture);
        cachePainter.setFont(font());
        drawRanks(cachePainter);
    }
    const QRectF part = event->rect();
    const double ratio = m_picture.devicePixelRatio();
    painter.drawPixmap(part, m_picture, QRectF(part.topLeft() * ratio, part.size() * ratio));
    if (!isEmpty())
        drawMarks(painter);
}

void RankHeatView::drawRanks(QPainter& painter) const
{
    if (isEmpty())
        return;
    painter.drawImage(plotRect().topLeft(), cells());
    drawRows(painter);
    drawFailures(painter);
}

void RankHeatView::makeSheet()
{
    m_sheet = QPixmap(size() * devicePixelRatioF());
    m_sheet.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&m_sheet);
    painter.setFont(font());
    drawSheet(painter);
}

/// Draws everything that does not depend on the rows in view: the axis of steps and the scale of colours.
void RankHeatView::drawSheet(QPainter& painter) const
{
    painter.fillRect(rect(), m_colors.surface);
    if (!isEmpty()) {
        drawSteps(painter);
        if (!isShort())
            drawScale(painter);
        return;
    }
    painter.setPen(m_colors.quietText);
    painter.drawText(rect(), Qt::AlignCenter, m_ranks ? tr("No steps found in these files") : QString());
}

/// Draws the names of stages, and between them names of ranks: at most about twelve if rows are lower than a
/// text.
void RankHeatView::drawRows(QPainter& painter) const
{
    const QRectF plot = plotRect();
    const int textHeight = fontMetrics().height();
    const HeatSpan rows = rowsInView();
    const auto write = [&](double y, const QString& text) {
        painter.drawText(QRectF(0, y, plot.left() - 8, textHeight), Qt::AlignRight | Qt::AlignTop,
            fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(plot.left()) - 10));
    };
    std::vector<double> stageTops; // tops of the names of stages, which have priority
    double freeFrom = plot.top();
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        if (!m_map->beginsStage(row))
            continue;
        const double y = std::max(plot.top(), yOf(static_cast<double>(row)));
        if (row > rows.first) {
            painter.setPen(m_colors.border);
            painter.drawLine(QPointF(plot.left() - 6, y), QPointF(plot.right(), y));
        }
        stageTops.push_back(y);
        if (y < freeFrom || y + textHeight > plot.bottom() + textHeight / 2.0)
            continue;
        painter.setPen(m_colors.text);
        write(y, tr("stage %1").arg(*m_ranks->ranks[m_map->rankAt(row)].identity.pp));
        freeFrom = y + textHeight;
    }
    painter.setPen(m_colors.quietText);
    const double room = std::max<double>(textHeight, rowHeight());
    const auto isFree = [&](double y) {
        return std::ranges::none_of(
            stageTops, [&](double other) { return std::abs(other - y) < textHeight; });
    };
    double next = plot.top();
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        const double y = yOf(static_cast<double>(row)) + std::max(0.0, (rowHeight() - textHeight) / 2);
        if (y < next || y + textHeight > plot.bottom() + 2 || !isFree(y))
            continue;
        write(y, toQString(m_ranks->nameOf(m_map->rankAt(row))));
        next = y + std::max(room, rowHeight() < textHeight ? plot.height() / 12 : room);
    }
}

/// Names steps at round distances, each below the middle of its column, unless the edge of the view is in the
/// way.
void RankHeatView::drawSteps(QPainter& painter) const
{
    const QRectF plot = plotRect();
    const auto& steps = m_ranks->heat.steps;
    const auto name = [&](std::size_t column) {
        return column == 0 ? tr("step %1").arg(countText(steps[column])) : countText(steps[column]);
    };
    const auto widthOf = [this](const QString& text) { return fontMetrics().horizontalAdvance(text); };
    const double room = widthOf(name(steps.size() - 1)) + 2 * kScaleGap;
    const int maxTicks = std::max(2, static_cast<int>(plot.width() / room));
    double freeFrom = 0;
    painter.setPen(m_colors.quietText);
    for (const double tick : countTicks(0, static_cast<double>(steps.size()), maxTicks).positions) {
        const auto column = static_cast<std::size_t>(std::max(tick, 0.0));
        if (tick < 0 || column >= steps.size())
            continue;
        const double x = xOf(tick + 0.5);
        const double width = widthOf(name(column));
        const double left = std::min(x - width / 2, this->width() - width);
        if (left < freeFrom)
            continue;
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3));
        painter.drawText(
            QRectF(left, plot.bottom() + 2, width + 1, fontMetrics().height()), Qt::AlignLeft, name(column));
        freeFrom = left + width + kScaleGap;
    }
}

/// Measures the key below the map. Its bar of colours is narrower where there is little room.
void RankHeatView::measureKey()
{
    m_key = {};
    if (isEmpty() || isShort())
        return;
    const auto widthOf
        = [this](const QString& text) { return fontMetrics().horizontalAdvance(text) + kScaleGap; };
    const double room = width() - 2 * kScaleGap;
    const double texts
        = widthOf(tr("peak")) + widthOf(bytesText(m_map->lowest())) + widthOf(bytesText(m_map->highest()));
    m_key.bar = std::clamp(room - texts, kNarrowestScaleBar, kScaleBar);
    m_key.scale = texts + m_key.bar + kScaleGap;
    m_key.failure = m_ranks->failures.empty() ? 0 : kFailureMark + kScaleGap + widthOf(tr("out of memory"));
    const bool isTwoLines = m_key.failure > 0 && m_key.scale + kScaleGap + m_key.failure > room;
    m_key.lineCount = isTwoLines ? 2 : 1;
    m_key.width = isTwoLines ? std::max(m_key.scale, m_key.failure)
                             : m_key.scale + (m_key.failure > 0 ? kScaleGap + m_key.failure : 0);
    m_key.left = std::clamp(width() - kScaleGap - m_key.width, kScaleGap, plotRect().left());
}

/// Draws what the colours mean: "peak 344 MiB ▒▒▒ 516 MiB  ■ out of memory". A narrow map has a shorter bar,
/// and the entry for failures on a line of its own.
void RankHeatView::drawScale(QPainter& painter) const
{
    const double textHeight = fontMetrics().height();
    double top = height() - m_key.lineCount * textHeight - 4;
    double x = m_key.left;
    const auto write = [&](const QString& text, const QColor& color) {
        const double width = fontMetrics().horizontalAdvance(text);
        painter.setPen(color);
        painter.drawText(QRectF(x, top, width + 1, textHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + kScaleGap;
    };
    write(tr("peak"), m_colors.quietText);
    write(bytesText(m_map->lowest()), m_colors.text);
    const double step = m_key.bar / (RankHeatMap::kStrongestShade + 1);
    for (int shade = 0; shade <= RankHeatMap::kStrongestShade; ++shade)
        painter.fillRect(QRectF(x + step * shade, top + 2, step + 0.5, textHeight - 4),
            QColor::fromRgb(m_map->colorOf(shade, palette())));
    x += m_key.bar + kScaleGap;
    write(bytesText(m_map->highest()), m_colors.text);
    if (m_ranks->failures.empty())
        return;
    if (m_key.lineCount == 2) {
        x = m_key.left;
        top += textHeight;
    } else
        x += kScaleGap;
    painter.fillRect(
        QRectF(x, top + (textHeight - kFailureMark) / 2, kFailureMark, kFailureMark), m_colors.danger);
    x += kFailureMark + kScaleGap;
    write(tr("out of memory"), m_colors.text);
}

/// Fills the cells in which ranks ran out of memory, because the colour of their totals may be pale.
void RankHeatView::drawFailures(QPainter& painter) const
{
    const double columnWidth = xOf(1) - xOf(0);
    for (const RankFailure& failure : m_ranks->failures) {
        const std::size_t row = m_map->rowOf(failure.rank);
        if (!failure.at.step || row == RankHeatMap::kNoRow)
            continue;
        const QPointF centre(xOf(static_cast<double>(m_map->columnOf(*failure.at.step)) + 0.5),
            yOf(static_cast<double>(row) + 0.5));
        if (!plotRect().contains(centre))
            continue;
        const QSizeF size(std::max(kFailureMark, columnWidth), std::max(kFailureMark, rowHeight()));
        const QRectF cell(centre - QPointF(size.width() / 2, size.height() / 2), size);
        painter.fillRect(cell.intersected(plotRect()), m_colors.danger);
    }
}

/// Draws the mark of the chosen rank, and the outline and text of the cell below the pointer or with the
/// keyboard focus.
void RankHeatView::drawMarks(QPainter& painter) const
{
    const QRectF plot = plotRect();
    painter.setFont(font());
    const std::size_t row = m_selected ? m_map->rowOf(*m_selected) : RankHeatMap::kNoRow;
    if (row != RankHeatMap::kNoRow) {
        const double y = yOf(static_cast<double>(row) + 0.5);
        if (y >= plot.top() && y <= plot.bottom()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_colors.accent);
            painter.drawPolygon(QPolygonF{
                QPointF(plot.left() - 7, y - 5), QPointF(plot.left() - 7, y + 5), QPointF(plot.left(), y)});
        }
    }
    const std::optional<Cell> cell = describedCell();
    if (!cell)
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_colors.text, 1.4));
    painter.drawRect(boxOf(*cell));
    const QRectF line = readoutRect();
    painter.fillRect(line, m_colors.surface);
    painter.setPen(m_colors.text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
        fontMetrics().elidedText(readout(), Qt::ElideMiddle, static_cast<int>(line.width())));
}

} // namespace highwater::gui

#include "app/views/ranks/rank_overlay.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <QMouseEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/ticks.h"

namespace highwater::gui {

namespace {

/// Height of the axis relative to the highest total.
constexpr double kHeadroom = 1.08;
constexpr int kMaxTicks = 4;
/// An idle start is judged from the column at 1/kStartDivisor of all columns. From there on it lasts at least
/// 1/kIdleLengthDivisor of them, and no total in it differs from its first by more than 1/kIdleDivisor of the
/// highest.
constexpr std::size_t kStartDivisor = 20;
constexpr std::size_t kIdleLengthDivisor = 4;
constexpr std::int64_t kIdleDivisor = 20;
/// The time axis begins earlier than the end of the idle start, by 1/kShownIdleDivisor of the rest.
constexpr std::int64_t kShownIdleDivisor = 20;
/// Maximum distance of a click from a line, in pixels.
constexpr double kReach = 24;
constexpr int kKeyLine = 16; ///< length of the line in each entry of the key, in pixels
constexpr int kGap = 6; ///< between texts, and between texts and lines, in pixels
/// Maximum number of lines that are drawn with smoothing.
constexpr std::size_t kSmoothLines = 32;

/// Returns the totals of a line by column of this axis; empty if the rank has none on it.
const std::vector<Bytes>& columnsOf(const RankLine& line, AxisKind axis)
{
    const CurveOutline& outline = line.figures->mainDevice()->outline;
    return axis == AxisKind::Event ? outline.byEvent : outline.byTime;
}

/// Returns the time of the first column after an idle start; the begin of the outline if it has no idle
/// start.
Nanoseconds endOfIdleStart(const CurveOutline& outline, Bytes highest)
{
    const std::vector<Bytes>& columns = outline.byTime;
    const std::size_t first = columns.size() / kStartDivisor;
    std::size_t end = first;
    while (end < columns.size() && std::abs(columns[end] - columns[first]) <= highest / kIdleDivisor)
        ++end;
    if (end >= columns.size() || end < first + columns.size() / kIdleLengthDivisor)
        return outline.begin;
    const double share = static_cast<double>(end) / static_cast<double>(columns.size());
    return outline.begin + static_cast<Nanoseconds>(share * static_cast<double>(outline.end - outline.begin));
}

} // namespace

RankOverlay::RankOverlay(QWidget* parent)
    : QWidget(parent)
    , m_colors(ThemeColors::light())
{
    named(this, "rankOverlay", tr("Totals of all ranks, overlaid"));
}

void RankOverlay::setLines(std::vector<RankLine> lines)
{
    m_lines = std::move(lines);
    m_highest = 1;
    m_begin = std::numeric_limits<Nanoseconds>::max();
    m_end = std::numeric_limits<Nanoseconds>::min();
    for (const RankLine& line : m_lines) {
        const RankDevice& device = *line.figures->mainDevice();
        m_highest = std::max(m_highest, device.peakBytes);
        m_begin = std::min(m_begin, device.outline.begin);
        m_end = std::max(m_end, device.outline.end);
    }
    m_axisBegin = m_end;
    for (const RankLine& line : m_lines)
        m_axisBegin = std::min(m_axisBegin, endOfIdleStart(line.figures->mainDevice()->outline, m_highest));
    if (m_axisBegin > m_begin) // some of the idle start stays in sight
        m_axisBegin = std::max(m_begin, m_axisBegin - (m_end - m_axisBegin) / kShownIdleDivisor);
    redraw();
}

void RankOverlay::setAxis(AxisKind axis)
{
    m_axis = axis;
    redraw();
}

void RankOverlay::setSelected(std::optional<std::size_t> rank)
{
    m_selected = rank;
    redraw();
}

void RankOverlay::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    redraw();
}

QRectF RankOverlay::plotRect() const
{
    const int left = fontMetrics().horizontalAdvance(QStringLiteral("1,023.00 MiB")) + 10;
    const int line = fontMetrics().height() + kGap;
    return QRectF(left, kGap, std::max(10, width() - left - 14), std::max(10, height() - kGap - 2 * line));
}

double RankOverlay::yOf(Bytes bytes) const
{
    const QRectF plot = plotRect();
    return plot.bottom()
        - static_cast<double>(bytes) / (static_cast<double>(m_highest) * kHeadroom) * plot.height();
}

std::optional<Bytes> RankOverlay::highestIn(const RankLine& line, double begin, double end) const
{
    const std::vector<Bytes>& columns = columnsOf(line, m_axis);
    const auto count = static_cast<double>(columns.size());
    if (columns.empty())
        return std::nullopt;
    double first = begin * count;
    double last = end * count;
    if (m_axis == AxisKind::Time) {
        const CurveOutline& outline = line.figures->mainDevice()->outline;
        const auto runDuration = static_cast<double>(m_end - m_axisBegin);
        const auto offset = static_cast<double>(outline.begin - m_axisBegin);
        const auto rankDuration = static_cast<double>(std::max<Nanoseconds>(1, outline.end - outline.begin));
        first = (begin * runDuration - offset) / rankDuration * count;
        last = (end * runDuration - offset) / rankDuration * count;
    }
    if (last <= 0 || first >= count)
        return std::nullopt;
    const auto firstColumn = static_cast<std::ptrdiff_t>(std::clamp(std::floor(first), 0.0, count - 1));
    const auto endColumn = static_cast<std::ptrdiff_t>(
        std::clamp(std::ceil(last), static_cast<double>(firstColumn) + 1, count));
    return *std::max_element(columns.begin() + firstColumn, columns.begin() + endColumn);
}

std::optional<QPointF> RankOverlay::pointOf(std::size_t line, double share) const
{
    const QRectF plot = plotRect();
    const std::optional<Bytes> bytes = highestIn(m_lines[line], share, share + 1 / plot.width());
    return bytes ? std::optional(QPointF(plot.left() + share * plot.width(), yOf(*bytes))) : std::nullopt;
}

void RankOverlay::redraw()
{
    m_picture.drop();
    update();
}

void RankOverlay::drawPicture(QPainter& painter) const
{
    painter.fillRect(rect(), m_colors.surface);
    drawGrid(painter);
    drawKey(painter);
    painter.setRenderHint(QPainter::Antialiasing, m_lines.size() <= kSmoothLines);
    // Draws the important lines last.
    const auto layer = [this](const RankLine& line) {
        return m_selected == line.rank ? 2 : line.outlier ? 1 : 0;
    };
    for (const int wanted : {0, 1, 2})
        for (const RankLine& line : m_lines)
            if (layer(line) == wanted)
                drawLine(painter, line);
}

void RankOverlay::drawGrid(QPainter& painter) const
{
    const QRectF plot = plotRect();
    const int textHeight = fontMetrics().height();
    const Ticks ticks = byteTicks(0, static_cast<double>(m_highest) * kHeadroom, kMaxTicks);
    for (std::size_t i = 0; i < ticks.positions.size(); ++i) {
        const double y = yOf(static_cast<Bytes>(ticks.positions[i]));
        painter.setPen(m_colors.grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(m_colors.quietText);
        painter.drawText(QRectF(0, y - textHeight / 2.0, plot.left() - 6, textHeight),
            Qt::AlignRight | Qt::AlignVCenter, toQString(ticks.labels[i]));
    }
    const QRectF below(plot.left(), plot.bottom() + 3, plot.width(), textHeight);
    painter.drawText(below, Qt::AlignLeft, axisTexts().first);
    painter.drawText(below, Qt::AlignRight, axisTexts().second);
}

std::pair<QString, QString> RankOverlay::axisTexts() const
{
    const QString end = axisText(1);
    const QString start = axisText(0);
    const double taken = fontMetrics().horizontalAdvance(end) + 2 * kGap;
    return {fontMetrics().horizontalAdvance(start) + taken <= plotRect().width() ? start : QString(), end};
}

/// Draws the key below the axis: the selected rank, the outliers, and the others.
void RankOverlay::drawKey(QPainter& painter) const
{
    QString selected;
    QStringList outliers;
    for (const RankLine& line : m_lines)
        if (m_selected == line.rank)
            selected = line.name;
        else if (line.outlier)
            outliers << line.name;
    const bool hasOthers
        = static_cast<std::size_t>(outliers.size()) + (selected.isEmpty() ? 0 : 1) < m_lines.size();
    const int entryCount = (selected.isEmpty() ? 0 : 1) + (outliers.isEmpty() ? 0 : 1) + (hasOthers ? 1 : 0);
    const int room = std::max(
        0, static_cast<int>(plotRect().width()) / std::max(1, entryCount) - kKeyLine - 3 * kGap); // per entry
    const double top = height() - fontMetrics().height() - 2;
    double x = plotRect().left();
    for (const auto& [text, color] : {std::pair(selected, m_colors.accent),
             std::pair(outliers.join(QStringLiteral(", ")), m_colors.warning),
             std::pair(hasOthers ? tr("others") : QString(), m_colors.quietText)}) {
        if (text.isEmpty())
            continue;
        const QString shown = shortenedTo(room, text, fontMetrics());
        const double middle = top + fontMetrics().height() / 2.0;
        painter.setPen(QPen(color, 2));
        painter.drawLine(QPointF(x, middle), QPointF(x + kKeyLine, middle));
        x += kKeyLine + kGap;
        painter.drawText(QPointF(x, top + fontMetrics().ascent()), shown);
        x += fontMetrics().horizontalAdvance(shown) + 2 * kGap;
    }
}

QString RankOverlay::axisText(double share) const
{
    if (m_axis == AxisKind::Event)
        return share == 0 ? tr("first event") : tr("last event");
    if (m_lines.empty())
        return {};
    if (share == 0 && m_axisBegin == m_begin)
        return QString::fromStdString(formatTimestamp(m_begin));
    const Nanoseconds time = share == 0 ? m_axisBegin : m_end;
    return QStringLiteral("+") + QString::fromStdString(formatDuration(time - m_begin));
}

void RankOverlay::drawLine(QPainter& painter, const RankLine& line) const
{
    const QRectF plot = plotRect();
    const bool selected = m_selected == line.rank;
    QPolygonF points;
    const int columnCount = static_cast<int>(plot.width());
    for (int x = 0; x < columnCount; ++x)
        if (const auto bytes = highestIn(line, x / plot.width(), (x + 1) / plot.width()))
            points << QPointF(plot.left() + x + 0.5, yOf(*bytes));
    const QColor color = selected ? m_colors.accent : line.outlier ? m_colors.warning : m_colors.quietText;
    painter.setPen(QPen(color, selected ? 2.2 : line.outlier ? 1.6 : 1.0));
    painter.drawPolyline(points);
}

std::optional<std::size_t> RankOverlay::lineAt(const QPointF& position) const
{
    const QRectF plot = plotRect();
    const double share = (position.x() - plot.left()) / plot.width();
    std::optional<std::size_t> nearest;
    double distance = kReach;
    for (std::size_t i = 0; share >= 0 && share < 1 && i < m_lines.size(); ++i) {
        const std::optional<QPointF> point = pointOf(i, share);
        if (point && std::abs(point->y() - position.y()) < distance) {
            distance = std::abs(point->y() - position.y());
            nearest = i;
        }
    }
    return nearest;
}

void RankOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_picture.show(painter, *this, [this](QPainter& target) { drawPicture(target); });
}

void RankOverlay::mousePressEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> line = lineAt(event->position());
    if (line && event->button() == Qt::LeftButton)
        emit chosen(static_cast<int>(m_lines[*line].rank));
}

bool RankOverlay::event(QEvent* event)
{
    const auto tipAt = [this](const QPoint& position) {
        const std::optional<std::size_t> line = lineAt(position);
        if (!line)
            return QString();
        const QRectF plot = plotRect();
        const double share = (position.x() - plot.left()) / plot.width();
        const std::optional<Bytes> bytes = highestIn(m_lines[*line], share, share + 1 / plot.width());
        return tr("%1: %2 here, peak %3")
            .arg(m_lines[*line].name, bytesText(bytes.value_or(0)),
                bytesText(m_lines[*line].figures->mainDevice()->peakBytes));
    };
    return showTip(*event, *this, tipAt) || QWidget::event(event);
}

} // namespace highwater::gui

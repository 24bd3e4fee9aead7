#include "app/views/legend_bar.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "app/workspace/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 14;
constexpr int kSwatch = 11;
/// Rows of entries; the bar keeps its height while the cursor moves.
constexpr std::size_t kLines = 5;
/// Between the end of one entry and the begin of the next.
constexpr int kColumnGap = 28;
/// The largest width to which columns must be cut so that they fit the room together: the widest give way
/// first.
int widestThatFits(std::vector<int> widths, int room)
{
    std::sort(widths.begin(), widths.end());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const int share = room / static_cast<int>(widths.size() - i);
        if (widths[i] > share)
            return share;
        room -= widths[i];
    }
    return widths.empty() ? 0 : widths.back();
}

} // namespace

LegendBar::LegendBar(const Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Call sites by bytes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_selection, &Selection::cursorChanged, this, &LegendBar::refresh);
}

void LegendBar::show(
    std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const SitePalette> palette)
{
    m_analysis = std::move(analysis);
    m_palette = std::move(palette);
    refresh();
}

void LegendBar::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

void LegendBar::refresh()
{
    m_rows.clear();
    m_heading.clear();
    if (m_analysis) {
        const std::optional<std::int64_t> cursor = m_selection.cursor();
        const std::int64_t event = cursor.value_or(m_analysis->figures.peakEvent);
        m_rows = legendRows(*m_analysis, *m_palette, event);
        Bytes bytes = 0;
        std::int64_t count = 0;
        for (const LegendRow& row : m_rows) {
            bytes += row.bytes;
            count += row.count;
        }
        const QString when = cursor ? tr("At %1").arg(eventText(event)) : tr("At the peak");
        m_heading = tr("%1: %2 in %3, by call site")
                        .arg(when, bytesText(bytes), countedText(count, "allocation", "allocations"));
    }
    setAccessibleDescription(m_heading);
    update();
}

int LegendBar::rowHeight() const
{
    return fontMetrics().height() + 4;
}

QSize LegendBar::sizeHint() const
{
    return {600, (static_cast<int>(kLines) + 1) * rowHeight() + 14};
}

int LegendBar::widthOf(const LegendRow& row) const
{
    constexpr int beforeLabel = 8;
    constexpr int beforeBytes = 16;
    return kSwatch + beforeLabel + fontMetrics().horizontalAdvance(row.label) + beforeBytes
        + fontMetrics().horizontalAdvance(bytesText(row.bytes));
}

std::vector<int> LegendBar::columnEdges() const
{
    std::vector<int> widths((m_rows.size() + kLines - 1) / kLines, 0);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        widths[i / kLines] = std::max(widths[i / kLines], widthOf(m_rows[i]) + kColumnGap);
    const int cap = widestThatFits(widths, width() - 2 * kMargin + kColumnGap);
    std::vector<int> edges{kMargin};
    for (const int width : widths)
        edges.push_back(edges.back() + std::min(width, cap));
    return edges;
}

QRect LegendBar::cell(std::size_t index, const std::vector<int>& edges) const
{
    const std::size_t column = index / kLines;
    const int line = static_cast<int>(index % kLines);
    return {edges[column], 8 + rowHeight() + line * rowHeight(),
        edges[column + 1] - edges[column] - kColumnGap, rowHeight()};
}

void LegendBar::paintRow(QPainter& painter, const LegendRow& row, const QRect& where) const
{
    const QString bytes = bytesText(row.bytes);
    const int bytesWidth = fontMetrics().horizontalAdvance(bytes);
    const QRect swatch(where.left(), where.center().y() - kSwatch / 2, kSwatch, kSwatch);
    if (row.color.isValid()) {
        painter.fillRect(swatch, row.color);
    } else { // several colours
        painter.setPen(m_colors.quietText);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    }
    const int labelLeft = swatch.right() + 8;
    const int labelRoom = where.right() - labelLeft - bytesWidth - 10;
    const QString label = fontMetrics().elidedText(row.label, Qt::ElideMiddle, labelRoom);
    painter.setPen(m_colors.text);
    painter.drawText(
        QRect(labelLeft, where.top(), labelRoom, where.height()), Qt::AlignVCenter | Qt::AlignLeft, label);
    painter.setPen(m_colors.quietText);
    painter.drawText(QRect(where.right() - bytesWidth, where.top(), bytesWidth + 1, where.height()),
        Qt::AlignVCenter | Qt::AlignLeft, bytes);
}

void LegendBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.surface);
    painter.fillRect(0, 0, width(), 1, m_colors.border);
    painter.setPen(m_colors.quietText);
    painter.drawText(
        QRect(kMargin, 4, width() - 2 * kMargin, rowHeight()), Qt::AlignVCenter | Qt::AlignLeft, m_heading);
    const std::vector<int> edges = columnEdges();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        paintRow(painter, m_rows[i], cell(i, edges));
}

bool LegendBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<int> edges = columnEdges();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (!cell(i, edges).contains(help->pos()))
            continue;
        const LegendRow& row = m_rows[i];
        QToolTip::showText(help->globalPos(),
            tr("%1\n%2 in %3")
                .arg(row.tip, bytesText(row.bytes), countedText(row.count, "allocation", "allocations")),
            this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

} // namespace highwater::gui

#include "app/views/legend_bar.h"

#include <algorithm>
#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
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

/// How far a key moves among the rows, which run down the columns; none if it does not.
std::optional<int> stepOf(int key)
{
    switch (key) {
    case Qt::Key_Up: return -1;
    case Qt::Key_Down: return 1;
    case Qt::Key_Left: return -static_cast<int>(kLines);
    case Qt::Key_Right: return static_cast<int>(kLines);
    default: return std::nullopt;
    }
}

} // namespace

LegendBar::LegendBar(const Selection& selection, BandView& bands, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_bands(bands)
    , m_colors(ThemeColors::light())
    , m_pace([this] { refresh(); })
{
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend: groups by bytes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the timeline
    setMouseTracking(true);
    connect(&m_selection, &Selection::cursorChanged, &m_pace, &Paced::request);
    connect(&m_bands, &BandView::changed, this, &LegendBar::refresh);
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
    if (m_bands.analysis()) {
        const std::optional<std::int64_t> cursor = m_selection.cursor();
        const std::int64_t event = cursor.value_or(m_bands.analysis()->figures.peakEvent);
        m_rows = legendRows(m_bands, event);
        Bytes bytes = 0;
        std::int64_t count = 0;
        for (const LegendRow& row : m_rows) {
            bytes += row.bytes;
            count += row.count;
        }
        const QString when = cursor ? tr("At %1").arg(eventText(event)) : tr("At the peak");
        m_heading = tr("%1: %2 in %3, by %4")
                        .arg(when, bytesText(bytes), countedText(count, "allocation", "allocations"),
                            groupNoun(m_bands.mode()));
    }
    moveCurrent(0);
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
    QFont isolated = font(); // room for it in any case: the columns do not move with a click
    isolated.setBold(true);
    return kSwatch + beforeLabel + QFontMetrics(isolated).horizontalAdvance(row.label) + beforeBytes
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

void LegendBar::paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const
{
    if (!row.group || m_bands.isHidden(*row.group)) { // several colours, or none to be seen
        painter.setPen(row.group ? row.color : m_colors.quietText);
        painter.drawRect(where.adjusted(0, 0, -1, -1));
        return;
    }
    painter.setOpacity(m_bands.isShown(*row.group) ? 1 : 0.35);
    painter.fillRect(where, row.color);
    painter.setOpacity(1);
}

void LegendBar::paintRow(QPainter& painter, const LegendRow& row, const QRect& where) const
{
    QFont labelFont = font();
    labelFont.setBold(row.group && m_bands.isolated() == row.group);
    labelFont.setStrikeOut(row.group && m_bands.isHidden(*row.group));
    const bool quiet = row.group ? !m_bands.isShown(*row.group) : m_bands.isolated().has_value();
    const QString bytes = bytesText(row.bytes);
    const int bytesWidth = fontMetrics().horizontalAdvance(bytes);
    const QRect swatch(where.left(), where.center().y() - kSwatch / 2, kSwatch, kSwatch);
    paintSwatch(painter, row, swatch);
    const int labelLeft = swatch.right() + 8;
    const int labelRoom = where.right() - labelLeft - bytesWidth - 10;
    painter.setFont(labelFont);
    painter.setPen(quiet ? m_colors.quietText : m_colors.text);
    painter.drawText(QRect(labelLeft, where.top(), labelRoom, where.height()),
        Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(labelFont).elidedText(row.label, Qt::ElideMiddle, labelRoom));
    painter.setFont(font());
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
    if (!hasFocus() || m_rows.empty())
        return;
    painter.setPen(m_colors.accent);
    painter.drawRect(cell(static_cast<std::size_t>(m_current), edges).adjusted(-4, 0, 3, -1));
}

std::optional<std::size_t> LegendBar::rowAt(const QPoint& position) const
{
    const std::vector<int> edges = columnEdges();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (cell(i, edges).contains(position))
            return i;
    return std::nullopt;
}

std::optional<GroupRank> LegendBar::groupAt(const QPoint& position) const
{
    const std::optional<std::size_t> row = rowAt(position);
    return row ? m_rows[*row].group : std::nullopt;
}

void LegendBar::choose(GroupRank group, Qt::KeyboardModifiers modifiers)
{
    if (modifiers.testFlag(Qt::ControlModifier))
        m_bands.toggleHidden(group);
    else
        m_bands.toggleIsolated(group);
}

void LegendBar::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? groupAt(event->position().toPoint()) : std::nullopt;
}

void LegendBar::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<GroupRank> pressed = std::exchange(m_pressed, std::nullopt);
    if (pressed && event->button() == Qt::LeftButton && groupAt(event->position().toPoint()) == pressed)
        choose(*pressed, event->modifiers());
}

void LegendBar::mouseMoveEvent(QMouseEvent* event)
{
    if (groupAt(event->position().toPoint()))
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
}

void LegendBar::moveCurrent(int by)
{
    m_current = std::clamp(m_current + by, 0, std::max(0, static_cast<int>(m_rows.size()) - 1));
    QString description = m_heading;
    if (!m_rows.empty()) {
        const LegendRow& row = m_rows[static_cast<std::size_t>(m_current)];
        description += QStringLiteral(". %1: %2").arg(row.label, bytesText(row.bytes));
    }
    setAccessibleDescription(description);
    update();
}

void LegendBar::keyPressEvent(QKeyEvent* event)
{
    if (const std::optional<int> step = stepOf(event->key())) {
        moveCurrent(*step);
        return;
    }
    if (event->key() != Qt::Key_Space || m_rows.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const LegendRow& row = m_rows[static_cast<std::size_t>(m_current)];
    if (row.group)
        choose(*row.group, event->modifiers());
}

void LegendBar::focusInEvent(QFocusEvent* event)
{
    moveCurrent(0);
    QWidget::focusInEvent(event);
}

QString LegendBar::tipOf(const LegendRow& row) const
{
    QString tip
        = tr("%1\n%2 in %3")
              .arg(row.tip, bytesText(row.bytes), countedText(row.count, "allocation", "allocations"));
    if (!row.group)
        return tip;
    tip += m_bands.isolated() == row.group ? tr("\nClick: all again.") : tr("\nClick: only this one.");
    tip += m_bands.isHidden(*row.group) ? tr(" Ctrl+click: show it.") : tr(" Ctrl+click: hide it.");
    return tip;
}

bool LegendBar::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        // With the focus here, these keys are not the timeline's.
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (stepOf(key) || key == Qt::Key_Space) {
            event->accept();
            return true;
        }
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const std::optional<std::size_t> row = rowAt(help->pos()))
        QToolTip::showText(help->globalPos(), tipOf(m_rows[*row]), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace highwater::gui

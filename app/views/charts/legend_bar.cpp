#include "app/views/charts/legend_bar.h"

#include <algorithm>
#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 14;
constexpr int kSwatch = 11;
constexpr int kBeforeLabel = 8;
/// Rows of entries at most.
constexpr std::size_t kMostLines = 5;
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
std::optional<int> stepOf(int key, std::size_t lines)
{
    switch (key) {
    case Qt::Key_Up: return -1;
    case Qt::Key_Down: return 1;
    case Qt::Key_Left: return -static_cast<int>(lines);
    case Qt::Key_Right: return static_cast<int>(lines);
    default: return std::nullopt;
    }
}

} // namespace

LegendBar::LegendBar(const Selection& selection, BandView& bands, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_bands(bands)
    , m_colors(ThemeColors::light())
    , m_pace([this] { followCursor(); })
{
    named(this, "legend", tr("Legend: groups by bytes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the timeline
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    applyFont();
    connect(&m_selection, &Selection::cursorChanged, &m_pace, &FrameThrottle::request);
    connect(&m_selection, &Selection::shownChanged, &m_pace, &FrameThrottle::request);
    connect(&m_bands, &BandView::changed, this, &LegendBar::refresh);
}

void LegendBar::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    refresh();
}

void LegendBar::refresh()
{
    followCursor();
    update();
}

void LegendBar::followCursor()
{
    const std::vector<LegendRow> before = std::exchange(m_rows, {});
    const std::vector<int> edgesBefore = m_edges;
    m_heading.clear();
    if (m_bands.analysis()) {
        const std::optional<std::int64_t> cursor = m_selection.moment();
        const std::int64_t event = cursor.value_or(m_bands.analysis()->figures.peakEvent);
        m_rows = legendRows(m_bands, event, kLegendRows, m_colors.dark);
        Bytes bytes = 0;
        std::int64_t count = 0;
        for (const LegendRow& row : m_rows) {
            bytes += row.bytes;
            count += row.count;
        }
        const QString when = cursor ? tr("At %1").arg(eventText(event)) : tr("At the peak");
        m_heading = tr("%1: %2 in %3, by %4")
                        .arg(when, bytesText(bytes), countedText(count, "allocation", "allocations"),
                            groupNoun(m_bands.groups()->mode));
    }
    layOut();
    moveCurrent(0);
    if (m_edges != edgesBefore || m_rows.size() != before.size()) {
        update();
        return;
    }
    update(headingRect());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i] != before[i])
            update(cell(i));
}

void LegendBar::applyFont()
{
    m_regular.setFont(font());
    QFont bold = font();
    bold.setBold(true);
    m_bold.setFont(bold);
    m_bytesWidth = 0;
}

int LegendBar::widthOf(const LegendRow& row)
{
    constexpr int beforeBytes = 16;
    // Room for it in bold, as isolated, in any case: the columns do not move with a click.
    return kSwatch + kBeforeLabel + m_bold.width(row.label) + beforeBytes + m_bytesWidth;
}

/// As few lines as all groups of the device need side by side, whether they are live now or not: the bar
/// keeps its height while the cursor moves.
std::size_t LegendBar::linesNeeded()
{
    const auto groups = m_bands.groups();
    if (!groups || groups->groups.size() > BandPalette::kDistinct)
        return kMostLines;
    int widest = 0;
    m_bytesWidth = std::max(m_bytesWidth, m_regular.width(QStringLiteral("1,023.99 MiB"))); // no more is said
    const QString grade = groups->mode == BandMode::Category ? QStringLiteral(" (B)") : QString();
    for (const BandGroup& group : groups->groups)
        widest = std::max(widest, widthOf({{}, toQString(group.label) + grade, {}, 0, 0, {}}) + kColumnGap);
    const int columns = std::max(1, (width() - 2 * kMargin + kColumnGap) / std::max(1, widest));
    const std::size_t rows = groups->groups.size() + 1; // one for "others"
    return std::clamp<std::size_t>(
        (rows + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns), 1, kMostLines);
}

void LegendBar::layOut()
{
    for (const LegendRow& row : m_rows)
        m_bytesWidth = std::max(m_bytesWidth, m_regular.width(bytesText(row.bytes)));
    if (const std::size_t lines = linesNeeded(); std::exchange(m_lines, lines) != lines)
        updateGeometry();
    std::vector<int> widths((m_rows.size() + m_lines - 1) / m_lines, 0);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        widths[i / m_lines] = std::max(widths[i / m_lines], widthOf(m_rows[i]) + kColumnGap);
    const int cap = widestThatFits(widths, width() - 2 * kMargin + kColumnGap);
    m_edges.assign(1, kMargin);
    for (const int width : widths)
        m_edges.push_back(m_edges.back() + std::min(width, cap));
}

void LegendBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        applyFont();
        layOut();
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

QRect LegendBar::headingRect() const
{
    return {kMargin, 4, width() - 2 * kMargin, rowHeight()};
}

QRect LegendBar::cell(std::size_t index) const
{
    const std::size_t column = index / m_lines;
    const int line = static_cast<int>(index % m_lines);
    return {m_edges[column], 8 + rowHeight() + line * rowHeight(),
        m_edges[column + 1] - m_edges[column] - kColumnGap, rowHeight()};
}

void LegendBar::paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const
{
    if (!row.group || m_bands.isHidden(*row.group)) { // several colours, or none visible
        painter.setPen(row.group ? row.color : m_colors.quietText);
        painter.drawRect(where.adjusted(0, 0, -1, -1));
        return;
    }
    painter.setOpacity(m_bands.isShown(*row.group) ? 1 : 0.35);
    painter.fillRect(where, row.color);
    painter.setOpacity(1);
}

void LegendBar::paintRow(QPainter& painter, const LegendRow& row, const QRect& where)
{
    const QRect swatch(where.left(), where.center().y() - kSwatch / 2, kSwatch, kSwatch);
    paintSwatch(painter, row, swatch);
    const int top = where.top() + (where.height() - m_regular.lineHeight()) / 2;
    const int labelLeft = swatch.right() + kBeforeLabel;
    TextCache& font = row.group && m_bands.isolated() == row.group ? m_bold : m_regular;
    const QString label = font.elidedTo(where.right() - labelLeft - m_bytesWidth - 10, row.label);
    const bool quiet = row.group ? !m_bands.isShown(*row.group) : m_bands.isolated().has_value();
    painter.setPen(quiet ? m_colors.quietText : m_colors.text);
    font.draw(painter, QPoint(labelLeft, top), label);
    if (row.group && m_bands.isHidden(*row.group)) {
        const int middle = top + m_regular.lineHeight() * 9 / 16;
        painter.drawLine(labelLeft, middle, labelLeft + font.width(label), middle);
    }
    const QString bytes = bytesText(row.bytes);
    painter.setPen(m_colors.quietText);
    m_regular.draw(painter, QPoint(where.right() + 1 - m_regular.width(bytes), top), bytes);
}

void LegendBar::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    for (const QRect& rect : event->region())
        painter.fillRect(rect, m_colors.surface);
    painter.fillRect(0, 0, width(), 1, m_colors.border);
    if (event->region().intersects(headingRect())) {
        painter.setPen(m_colors.quietText);
        m_regular.draw(painter, headingRect().topLeft() + QPoint(0, 2), m_heading);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (event->region().intersects(cell(i)))
            paintRow(painter, m_rows[i], cell(i));
    if (!hasFocus() || m_rows.empty())
        return;
    painter.setPen(m_colors.accent);
    painter.drawRect(cell(static_cast<std::size_t>(m_current)).adjusted(-4, 0, 3, -1));
}

std::optional<std::size_t> LegendBar::rowAt(const QPoint& position) const
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (cell(i).contains(position))
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
    if (hasFocus())
        update();
}

void LegendBar::keyPressEvent(QKeyEvent* event)
{
    if (const std::optional<int> step = stepOf(event->key(), m_lines)) {
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
        if (stepOf(key, m_lines) || key == Qt::Key_Space) {
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

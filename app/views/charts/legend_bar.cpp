#include "app/views/charts/legend_bar.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <QMenu>
#include <QPaintEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 16;
constexpr int kHeight = 24;
constexpr int kSwatch = 10;
constexpr int kGap = 6; ///< between swatch, name and bytes
constexpr std::size_t kFewestFigures = 2; ///< The largest groups keep their figures if there is no room
constexpr int kEntryGap = 14; ///< from the end of one entry to the start of the next

QString noBytes()
{
    return QStringLiteral("–");
}

QString moreText(std::size_t groups)
{
    return LegendBar::tr("%1 more").arg(countText(static_cast<std::int64_t>(groups)));
}

} // namespace

LegendBar::LegendBar(const Selection& selection, BandView& bands, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_bands(bands)
    , m_colors(ThemeColors::light())
    , m_throttle([this] { followCursor(); })
{
    named(this, "legend", tr("Legend: groups by bytes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus); // after a click, the timeline keeps the keyboard
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    applyFont();
    connect(&m_selection, &Selection::cursorChanged, &m_throttle, &FrameThrottle::request);
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
    const std::vector<LegendRow> oldRows = std::exchange(m_rows, {});
    const std::vector<int> oldEdges = m_edges;
    m_heading.clear();
    m_moment.clear();
    m_extras.clear();
    if (m_bands.analysis()) {
        const std::optional<std::int64_t> cursor = m_selection.cursor();
        const std::int64_t event = cursor.value_or(m_bands.analysis()->figures.peakEvent);
        m_rows = legendRows(m_bands, event, kLegendRows, m_colors.ground());
        m_extras.follow(m_bands, event, m_colors);
        Bytes bytes = 0;
        std::int64_t count = 0;
        for (const LegendRow& row : m_rows) {
            bytes += row.bytes;
            count += row.count;
        }
        m_moment = cursor                                    ? tr("at %1").arg(eventText(event))
            : m_bands.analysis()->trace->metadata.hasHistory ? tr("at the peak")
                                                             : tr("at the snapshot");
        m_heading
            = tr("%1: %2 in %3, by %4")
                  .arg(m_moment.left(1).toUpper() + m_moment.mid(1), bytesText(bytes),
                      countedText(count, "allocation", "allocations"), groupNoun(m_bands.groups()->mode));
    }
    layOut();
    moveCurrent(0);
    if (m_edges != oldEdges || m_rows.size() != oldRows.size()) {
        update();
        return;
    }
    update(momentRect());
    update(extrasRect());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i] != oldRows[i])
            update(rowRect(i));
}

void LegendBar::applyFont()
{
    QFont small = smallFont(font());
    m_regular.setFont(small);
    small.setBold(true);
    m_bold.setFont(small);
}

QSize LegendBar::sizeHint() const
{
    return {600, std::max(kHeight, m_regular.lineHeight() + 8)};
}

/// Returns the bytes of an entry at the peak; the entry of several groups counts as the largest.
Bytes LegendBar::bytesAtPeak(const LegendRow& row) const
{
    return row.group ? m_bands.groups()->groups[*row.group].bytesAtPeak : std::numeric_limits<Bytes>::max();
}

/// Returns the width of an entry with the widest possible figure, and with the name in bold as for an
/// isolated group. So nothing moves while the cursor moves.
int LegendBar::widthOf(const LegendRow& row, bool hasFigure)
{
    const QString figure = hasFigure ? QStringLiteral("999.99 MiB") : noBytes();
    return kSwatch + kGap + m_bold.width(row.label) + kGap + m_regular.width(figure);
}

/// Places the entries from the left, with figures for the groups of at least `leastWithFigure` at the peak.
/// Returns false if they need more than the room before the moment.
bool LegendBar::place(Bytes leastWithFigure, LegendExtras::Form form)
{
    m_extras.setForm(form);
    m_edges = {kMargin};
    for (const LegendRow& row : m_rows)
        m_edges.push_back(m_edges.back() + widthOf(row, bytesAtPeak(row) >= leastWithFigure) + kEntryGap);
    return m_edges.back() + m_extras.width(m_regular) <= momentRect().left();
}

/// Places the entries. If they do not fit, they lose in this order: the figures of groups that are not live
/// at the peak, words of the entries after the groups, the figures of the smallest groups, the entries after
/// the groups. If the names still do not fit, the last groups go into the menu.
void LegendBar::layOut()
{
    using Form = LegendExtras::Form;
    for (const Form form : {Form::Full, Form::Short})
        for (const Bytes least : {0, 1})
            if (place(least, form))
                return;
    std::vector<Bytes> sizes;
    for (const LegendRow& row : m_rows)
        sizes.push_back(bytesAtPeak(row));
    std::ranges::sort(sizes);
    sizes.resize(sizes.size() - std::min(sizes.size(), kFewestFigures));
    for (const Form form : {Form::Short, Form::KeptOnly, Form::None})
        for (const Bytes size : sizes)
            if (place(size + 1, form))
                return;
    place(1, Form::None);
    const int end = momentRect().left() - m_regular.width(moreText(9'999)) - kEntryGap;
    while (m_edges.size() > 2 && m_edges.back() > end)
        m_edges.pop_back();
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

/// Returns the rectangle of the moment's text, wide enough for every event number of the trace.
QRect LegendBar::momentRect() const
{
    const std::int64_t events = m_bands.analysis() ? m_bands.analysis()->allocations.eventCount() : 0;
    const int textWidth = m_regular.width(tr("at %1").arg(eventText(events)));
    return {width() - kMargin - textWidth, 0, textWidth, height()};
}

QRect LegendBar::rowRect(std::size_t index) const
{
    if (index + 1 >= m_edges.size())
        return {};
    return {m_edges[index], 1, m_edges[index + 1] - m_edges[index] - kEntryGap, height() - 1};
}

QRect LegendBar::extrasRect() const
{
    if (m_edges.empty())
        return {};
    return {m_edges.back(), 1, std::max(0, momentRect().left() - m_edges.back()), height() - 1};
}

QRect LegendBar::moreRect() const
{
    if (m_edges.size() > m_rows.size())
        return {};
    return {m_edges.back(), 1, momentRect().left() - m_edges.back() - kEntryGap, height() - 1};
}

QMenu* LegendBar::makeMenu()
{
    constexpr int most = 40;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    std::vector<bool> isShown(m_bands.groups()->groups.size(), false);
    for (std::size_t i = 0; i + 1 < m_edges.size(); ++i)
        if (m_rows[i].group)
            isShown[*m_rows[i].group] = true;
    for (std::size_t group = 0; group < isShown.size() && menu->actions().size() < most; ++group) {
        if (isShown[group])
            continue;
        const auto rank = static_cast<GroupRank>(group);
        QAction* action = menu->addAction(toQString(m_bands.groups()->groups[group].label));
        action->setCheckable(true);
        action->setChecked(m_bands.isolated() == rank);
        connect(action, &QAction::triggered, this, [this, rank] { m_bands.toggleIsolated(rank); });
    }
    return menu;
}

void LegendBar::paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const
{
    if (!row.group || m_bands.isHidden(*row.group)) { // several colours, or a hidden group
        painter.setPen(row.group ? row.color : m_colors.quietText);
        painter.drawRect(where.adjusted(0, 0, -1, -1));
        return;
    }
    painter.setOpacity(m_bands.isShown(*row.group) ? 1 : 0.35);
    painter.fillRect(where, row.color);
    painter.setOpacity(1);
}

void LegendBar::paintRow(QPainter& painter, std::size_t index)
{
    const LegendRow& row = m_rows[index];
    const QRect where = rowRect(index);
    const QRect swatch(where.left(), where.center().y() - kSwatch / 2, kSwatch, kSwatch);
    paintSwatch(painter, row, swatch);
    const int top = where.top() + (where.height() - m_regular.lineHeight()) / 2;
    const int left = swatch.right() + 1 + kGap;
    TextCache& font = row.group && m_bands.isolated() == row.group ? m_bold : m_regular;
    const bool quiet
        = row.count == 0 || (row.group ? !m_bands.isShown(*row.group) : m_bands.isolated().has_value());
    painter.setPen(quiet ? m_colors.quietText : m_colors.text);
    font.drawOn(painter, QPoint(left, top), row.label, m_colors.surface);
    if (row.group && m_bands.isHidden(*row.group)) {
        const int middle = top + m_regular.lineHeight() * 9 / 16;
        painter.drawLine(left, middle, left + font.width(row.label), middle);
    }
    painter.setPen(m_colors.quietText);
    const QString bytes = row.count == 0 ? noBytes() : bytesText(row.bytes);
    const int bytesLeft = left + font.width(row.label) + kGap;
    if (bytesLeft + m_regular.width(bytes) <= where.right() + 1)
        m_regular.draw(painter, QPoint(bytesLeft, top), bytes);
}

void LegendBar::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    for (const QRect& rect : event->region())
        painter.fillRect(rect, m_colors.surface);
    painter.fillRect(0, 0, width(), 1, m_colors.border);
    const int top = 1 + (height() - 1 - m_regular.lineHeight()) / 2;
    painter.setPen(m_colors.quietText);
    m_regular.draw(painter, QPoint(momentRect().right() + 1 - m_regular.width(m_moment), top), m_moment);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (event->region().intersects(rowRect(i)))
            paintRow(painter, i);
    if (!m_rows.empty())
        m_extras.paint(painter, extrasRect(), m_regular);
    if (const QRect moreArea = moreRect(); !moreArea.isNull()) {
        std::size_t shown = 0;
        for (std::size_t i = 0; i + 1 < m_edges.size(); ++i)
            shown += m_rows[i].group ? 1 : 0;
        painter.setPen(m_colors.accent);
        m_regular.draw(
            painter, QPoint(moreArea.left(), top), moreText(m_bands.groups()->groups.size() - shown));
    }
    if (!hasFocus() || m_rows.empty())
        return;
    painter.setPen(QPen(m_colors.accent, 2));
    painter.drawRect(rowRect(static_cast<std::size_t>(m_current)).adjusted(-3, 3, 3, -3));
}

} // namespace highwater::gui

#include "app/views/charts/legend_bar.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <QMenu>
#include <QPaintEvent>
#include <QPainter>
#include <QPixmap>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 16;
constexpr int kHeight = 24;
constexpr int kEntryGap = 14; ///< from the end of one entry to the start of the next
constexpr int kNarrowGap = 10; ///< the same, where the entries fit only so

/// Returns the text in place of the bytes of a group without allocations.
QString noBytes()
{
    return QStringLiteral("–");
}

/// Returns the widest text of bytes.
QString widestFigure()
{
    return QStringLiteral("999.99 MiB");
}

/// Returns the room for the swatch of an entry; other groups together have none, because they have many
/// colours.
int swatchRoom(const LegendRow& row)
{
    return row.color.isValid() ? kLegendSwatch + kLegendGap : 0;
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
    const std::vector<LegendPlace> oldPlaces = m_rowPlaces;
    const std::vector<LegendPlace> oldExtraPlaces = m_extraPlaces;
    m_heading.clear();
    m_moment.clear();
    m_keyMoment.clear();
    m_extras.clear();
    if (m_bands.analysis()) {
        const std::optional<std::int64_t> cursor = m_selection.cursor();
        const KeyMoment moment = keyMoment(m_bands.analysis()->study);
        const std::int64_t event = cursor.value_or(moment.event);
        m_rows = legendRows(m_bands, event, maxLegendRows(m_bands.groups()->mode), m_colors.ground());
        m_extras.follow(m_bands, event, m_colors);
        Bytes bytes = 0;
        std::int64_t count = 0;
        for (const LegendRow& row : m_rows) {
            bytes += row.bytes;
            count += row.count;
        }
        m_keyMoment = toQString(inWords(moment.kind)) + QLatin1Char(':');
        const QString when = cursor ? toQString(formatMoment(event)) : toQString(inWords(moment.kind));
        m_moment = when + QLatin1Char(':');
        m_heading
            = tr("%1: %2 in %3, by %4")
                  .arg(toQString(upperFirst(when.toStdString())), bytesText(bytes),
                      countedText(count, "allocation", "allocations"), groupNoun(m_bands.groups()->mode));
    }
    layOut();
    moveCurrent(0);
    if (m_rowPlaces != oldPlaces || m_extraPlaces != oldExtraPlaces) {
        update();
        return;
    }
    update(momentRect());
    for (const LegendPlace& place : m_extraPlaces)
        update(rectOf(place));
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

/// Returns the bytes of an entry at the peak.
Bytes LegendBar::bytesAtPeak(const LegendItem& item) const
{
    return item.isExtra ? m_extras.entries()[item.index].bytesAtPeak : m_rows[item.index].bytesAtPeak;
}

/// Returns the width of an entry with the widest possible figure, if any, and with the name in bold as for an
/// isolated group. So nothing moves while the cursor moves.
int LegendBar::widthOf(const LegendItem& item, const LegendPlace& place)
{
    const int name = item.isExtra ? m_regular.width(LegendExtras::labelOf(m_extras.entries()[item.index]))
                                  : m_bold.width(m_rows[item.index].label);
    return (item.isExtra ? kLegendSwatch + kLegendGap : swatchRoom(m_rows[item.index])) + name
        + (place.hasFigure ? kLegendGap + m_regular.width(widestFigure()) : 0);
}

/// Returns all entries from the left: the groups, the part of their memory kept from earlier steps, and
/// reserved memory.
std::vector<LegendBar::LegendItem> LegendBar::itemsInOrder() const
{
    std::vector<LegendItem> items;
    for (const std::size_t row : m_shownRows)
        items.push_back({row, false});
    for (std::size_t i = 0; i < m_extras.entries().size(); ++i)
        items.push_back({i, true});
    return items;
}

/// Places the entries next to each other, after the moment of their figures if they have any, and returns
/// where they end.
int LegendBar::endOf(const std::vector<LegendItem>& items, int gap)
{
    const bool haveFigures = !items.empty() && placeOf(items.front()).hasFigure;
    int left = haveFigures ? momentRect().right() + 1 + kEntryGap : momentRect().left();
    for (const LegendItem& item : items) {
        LegendPlace& place = placeOf(item);
        place.left = left;
        place.width = widthOf(item, place);
        left += place.width + gap;
    }
    return items.empty() ? left : left - gap;
}

/// Places these entries, all with figures or all without. Returns true if they fit.
bool LegendBar::placeWithin(int room, const std::vector<LegendItem>& items, bool haveFigures, int gap)
{
    m_rowPlaces.assign(m_rows.size(), {});
    m_extraPlaces.assign(m_extras.entries().size(), {});
    for (const LegendItem& item : items)
        placeOf(item).hasFigure = haveFigures;
    m_end = endOf(items, gap);
    return m_end <= room;
}

/// Shows the entries that are largest at the peak, as many as fit without figures, at least one: a name is
/// nowhere else, but figures are in tips and tables.
void LegendBar::showLargest(int room)
{
    std::vector<LegendItem> bySize = itemsInOrder();
    std::ranges::stable_sort(
        bySize, std::ranges::greater(), [this](const LegendItem& item) { return bytesAtPeak(item); });
    std::vector<LegendItem> shown;
    for (const LegendItem& item : bySize) {
        std::vector<LegendItem> more = shown;
        more.push_back(item);
        if (!placeWithin(room, more, false, kNarrowGap) && !shown.empty())
            break;
        shown = std::move(more);
    }
    std::ranges::sort(shown, {}, [](const LegendItem& item) { return std::pair(item.isExtra, item.index); });
    m_shownRows.clear();
    for (const LegendItem& item : shown)
        if (!item.isExtra)
            m_shownRows.push_back(item.index);
    placeWithin(room, shown, false, kNarrowGap);
}

/// Places all entries with their figures, or else without. If not even the names fit, the smallest entries go
/// into the menu.
void LegendBar::layOut()
{
    m_shownRows.resize(m_rows.size());
    std::iota(m_shownRows.begin(), m_shownRows.end(), std::size_t{0});
    const int room = width() - kMargin;
    for (const bool haveFigures : {true, false})
        for (const int gap : {kEntryGap, kNarrowGap})
            if (placeWithin(room, itemsInOrder(), haveFigures, gap))
                return;
    showLargest(room - kEntryGap - m_regular.width(moreText(9'999)));
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
    const int textWidth = std::max(
        m_regular.width(m_keyMoment), m_regular.width(toQString(formatMoment(events)) + QLatin1Char(':')));
    return {kMargin, 0, textWidth, height()};
}

QRect LegendBar::rectOf(const LegendPlace& place) const
{
    return place.width > 0 ? QRect(place.left, 1, place.width, height() - 1) : QRect();
}

QRect LegendBar::rowRect(std::size_t index) const
{
    return index < m_rowPlaces.size() ? rectOf(m_rowPlaces[index]) : QRect();
}

QRect LegendBar::extraRect(std::size_t index) const
{
    return index < m_extraPlaces.size() ? rectOf(m_extraPlaces[index]) : QRect();
}

bool LegendBar::isEveryEntryShown() const
{
    return m_shownRows.size() == m_rows.size()
        && std::ranges::count(m_extraPlaces, 0, &LegendPlace::width) == 0;
}

/// Returns the number of entries that the menu would have if it were not limited.
std::size_t LegendBar::hiddenCount() const
{
    std::size_t shownGroups = 0;
    for (const std::size_t row : m_shownRows)
        shownGroups += m_rows[row].group ? 1 : 0;
    const auto hiddenExtras = std::ranges::count(m_extraPlaces, 0, &LegendPlace::width);
    return m_bands.groups()->groups.size() - shownGroups + static_cast<std::size_t>(hiddenExtras);
}

QRect LegendBar::moreRect() const
{
    if (isEveryEntryShown())
        return {};
    return {m_end + kEntryGap, 1, std::max(0, width() - kMargin - m_end - kEntryGap), height() - 1};
}

QMenu* LegendBar::makeMenu()
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    std::vector<bool> isShown(m_bands.groups()->groups.size(), false);
    for (const std::size_t row : m_shownRows)
        if (m_rows[row].group)
            isShown[*m_rows[row].group] = true;
    for (std::size_t group = 0; group < isShown.size() && menu->actions().size() < kMaxInMenu; ++group) {
        if (isShown[group])
            continue;
        const auto rank = static_cast<GroupRank>(group);
        QPixmap swatch(kLegendSwatch, kLegendSwatch);
        swatch.fill(m_bands.palette()->color(rank, m_colors.ground()));
        QAction* action = menu->addAction(swatch, toQString(m_bands.groups()->groups[group].label));
        action->setCheckable(true);
        action->setChecked(m_bands.isolated() == rank);
        connect(action, &QAction::triggered, this, [this, rank] { m_bands.toggleIsolated(rank); });
    }
    for (std::size_t i = 0; i < m_extraPlaces.size(); ++i) {
        if (m_extraPlaces[i].width > 0)
            continue;
        const LegendExtras::Entry& entry = m_extras.entries()[i];
        QPixmap swatch(kLegendSwatch, kLegendSwatch);
        swatch.fill(m_colors.surface);
        QPainter painter(&swatch);
        m_extras.paintSwatch(painter, entry, swatch.rect());
        painter.end();
        menu->addAction(swatch, LegendExtras::labelOf(entry))->setEnabled(false);
    }
    return menu;
}

void LegendBar::paintSwatch(QPainter& painter, const LegendRow& row, const QRect& where) const
{
    if (!row.color.isValid())
        return;
    if (row.group && m_bands.isHidden(*row.group)) {
        painter.setPen(row.color);
        painter.drawRect(where.adjusted(0, 0, -1, -1));
        return;
    }
    const bool isShown = row.group ? m_bands.isShown(*row.group) : !m_bands.isolated();
    painter.setOpacity(isShown ? 1 : 0.35);
    painter.fillRect(where, row.color);
    painter.setOpacity(1);
}

void LegendBar::paintRow(QPainter& painter, std::size_t index)
{
    const LegendRow& row = m_rows[index];
    const QRect where = rowRect(index);
    const QRect swatch(where.left(), height() / 2 - kLegendSwatch / 2, kLegendSwatch, kLegendSwatch);
    paintSwatch(painter, row, swatch);
    const int top = where.top() + (where.height() - m_regular.lineHeight()) / 2;
    const int left = where.left() + swatchRoom(row);
    TextCache& font = row.group && m_bands.isolated() == row.group ? m_bold : m_regular;
    const bool isQuiet
        = row.count == 0 || (row.group ? !m_bands.isShown(*row.group) : m_bands.isolated().has_value());
    painter.setPen(isQuiet ? m_colors.quietText : m_colors.text);
    font.drawOn(painter, QPoint(left, top), row.label, m_colors.surface);
    if (row.group && m_bands.isHidden(*row.group)) {
        const int middle = top + m_regular.lineHeight() * 9 / 16;
        painter.drawLine(left, middle, left + font.width(row.label), middle);
    }
    if (!m_rowPlaces[index].hasFigure)
        return;
    painter.setPen(m_colors.quietText);
    m_regular.draw(painter, QPoint(left + font.width(row.label) + kLegendGap, top),
        row.count == 0 ? noBytes() : bytesText(row.bytes));
}

void LegendBar::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    for (const QRect& rect : event->region())
        painter.fillRect(rect, m_colors.surface);
    painter.fillRect(0, 0, width(), 1, m_colors.border);
    const int top = 1 + (height() - 1 - m_regular.lineHeight()) / 2;
    painter.setPen(m_colors.quietText);
    if (!m_shownRows.empty() && m_rowPlaces[m_shownRows.front()].hasFigure)
        m_regular.draw(painter, QPoint(momentRect().left(), top), m_moment);
    for (const std::size_t row : m_shownRows)
        if (event->region().intersects(rowRect(row)))
            paintRow(painter, row);
    for (std::size_t i = 0; i < m_extraPlaces.size(); ++i)
        if (event->region().intersects(rectOf(m_extraPlaces[i])))
            m_extras.paint(painter, m_extras.entries()[i], m_extraPlaces[i], height(), m_regular);
    if (const QRect moreArea = moreRect(); !moreArea.isNull()) {
        painter.setPen(m_colors.accent);
        m_regular.draw(painter, QPoint(moreArea.left(), top), moreText(hiddenCount()));
    }
    if (!hasFocus() || m_rows.empty())
        return;
    painter.setPen(QPen(m_colors.accent, 2));
    painter.drawRect(rowRect(currentRow()).adjusted(-3, 3, 3, -3));
}

} // namespace highwater::gui

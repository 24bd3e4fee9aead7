#include "app/views/segments/address_map_painting.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

QColor mixed(const QColor& a, const QColor& b, double shareOfA)
{
    const auto channel
        = [shareOfA](int from, int to) { return static_cast<int>(from * shareOfA + to * (1 - shareOfA)); };
    return QColor(channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue()));
}

/// Hatching distinguishes pending frees without colour.
void hatch(QPainter& painter, const QRect& rect, const ThemeColors& colors, int pixel)
{
    painter.save();
    painter.setClipRect(rect);
    painter.setPen(QPen(colors.text, std::max(1, pixel)));
    for (int x = rect.left() - rect.height(); x < rect.right(); x += 4 * pixel)
        painter.drawLine(x, rect.bottom() + 1, x + rect.height(), rect.top());
    painter.restore();
}

} // namespace

AddressMapPainting::AddressMapPainting(const Trace& trace, const BandPalette& palette,
    const AllocatorMoment& moment, const AddressMap& map, const ThemeColors& colors, int rowHeight, int pixel)
    : m_trace(trace)
    , m_palette(palette)
    , m_moment(moment)
    , m_map(map)
    , m_colors(colors)
    , m_rowHeight(rowHeight)
    , m_pixel(pixel)
{
}

void AddressMapPainting::setMarked(AllocationIndex marked, AllocationIndex hovered)
{
    m_marked = marked;
    m_hovered = hovered;
}

void AddressMapPainting::paint(QPainter& painter, const QRect& part, const QFont& headingFont) const
{
    paintHeadings(painter, part, headingFont);
    const auto above = [&](const auto& item) { return item.y + m_rowHeight <= part.top(); };
    for (auto box = std::partition_point(m_map.boxes.begin(), m_map.boxes.end(), above);
         box != m_map.boxes.end() && box->y <= part.bottom(); ++box)
        paintBox(painter, *box);
    for (auto strip = std::partition_point(m_map.strips.begin(), m_map.strips.end(), above);
         strip != m_map.strips.end() && strip->y <= part.bottom(); ++strip)
        paintStrip(painter, *strip);
}

QString AddressMapPainting::textOf(const FreeListKey& key) const
{
    QString text = toQString(toText(m_trace, key));
    for (const FreeListFigures& list : m_moment.figures.lists)
        if (list.key == key)
            text += QStringLiteral("   %1 in %2, %3 free, largest run %4")
                        .arg(bytesText(list.reservedBytes), countedText(list.segments, "segment", "segments"),
                            bytesText(list.freeBytes), bytesText(list.largestFree));
    return text;
}

void AddressMapPainting::paintHeadings(QPainter& painter, const QRect& part, const QFont& font) const
{
    painter.setFont(font);
    painter.setPen(m_colors.quietText);
    const int height = QFontMetrics(font, painter.device()).height();
    for (const MapHeading& heading : m_map.headings)
        if (heading.y <= part.bottom() && heading.y + 3 * height >= part.top())
            painter.drawText(QRect(0, heading.y, m_map.width, height + 4 * m_pixel),
                Qt::AlignLeft | Qt::AlignVCenter, textOf(heading.key));
}

/// Colour of the largest block; a cell of one pixel blends towards empty by its share of free bytes.
QColor AddressMapPainting::colorOf(const MapCell& cell) const
{
    const AllocationIndex allocation = m_moment.state.blocks[cell.main].allocation;
    const QColor live = allocation == AllocationTable::kNoAllocation ? m_colors.quietText
                                                                     : QColor(m_palette.shade(allocation));
    const double share
        = static_cast<double>(cell.bytes() - cell.freeBytes) / static_cast<double>(cell.bytes());
    return mixed(live, m_colors.surface, share);
}

void AddressMapPainting::paintBox(QPainter& painter, const MapBox& box) const
{
    const MapCell& cell = m_map.cells[box.cell];
    const BlockAt& main = m_moment.state.blocks[cell.main];
    const QRect rect(box.x, box.y, box.width, m_rowHeight);
    const bool narrow = box.width <= 2 * m_pixel;
    if (!narrow && main.isHole()) {
        painter.fillRect(rect, m_colors.surface);
        return;
    }
    const bool parted = cell.freeBytes > 0 && narrow;
    painter.fillRect(
        rect, parted || main.isHole() ? colorOf(cell) : QColor(m_palette.shade(main.allocation)));
    if (cell.pendingBytes > cell.activeBytes)
        hatch(painter, rect, m_colors, m_pixel);
    // A line of background at the end separates neighbours.
    if (box.width >= 4 * m_pixel)
        painter.fillRect(
            QRect(rect.right() - m_pixel + 1, rect.top(), m_pixel, rect.height()), m_colors.surface);
    if (main.allocation == AllocationTable::kNoAllocation)
        return;
    if (main.allocation == m_marked || main.allocation == m_hovered) {
        painter.setPen(QPen(m_colors.text, (main.allocation == m_marked ? 2 : 1) * m_pixel));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
}

void AddressMapPainting::paintStrip(QPainter& painter, const MapStrip& strip) const
{
    const bool marked = m_markedSegment == strip.segment;
    const int thick = (marked ? 2 : 1) * m_pixel;
    const QColor color = marked ? m_colors.accent : m_colors.quietText;
    const QRect rect(strip.x, strip.y, strip.width, m_rowHeight);
    painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), thick), color);
    painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - thick, rect.width(), thick), color);
    // One that goes on in the next row stays open there.
    if (strip.begins && strip.width > 2 * m_pixel)
        painter.fillRect(QRect(rect.left(), rect.top(), thick, rect.height()), color);
    if (strip.ends && strip.width > 2 * m_pixel)
        painter.fillRect(QRect(rect.right() + 1 - thick, rect.top(), thick, rect.height()), color);
}

void AddressMapPainting::paintSwatch(
    QPainter& painter, const QRect& rect, BlockState state, const QColor& color, const ThemeColors& colors)
{
    painter.fillRect(rect, state == BlockState::Inactive ? colors.surface : color);
    if (state == BlockState::PendingFree)
        hatch(painter, rect, colors, 1);
    painter.setPen(colors.quietText);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

} // namespace highwater::gui

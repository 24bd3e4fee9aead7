#include <algorithm>
#include <cmath>
#include <span>

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include "app/views/parts/elided_label.h"
#include "app/views/picture/figure_painter.h"
#include "app/views/segments/address_map_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"
#include "core/figure/segments/address_map_shapes.h"
#include "core/figure/segments/map_key.h"
#include "core/figure/segments/map_marks.h"
#include "core/figure/segments/segment_captions.h"

namespace highwater::gui {

void AddressMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_colors.surface);
    if (hasFocus()) {
        painter.setPen(m_colors.accent);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
    if (!m_moment || m_map.boxes.empty())
        return;
    // Paints in device pixels, so that edges are sharp at any screen scale.
    const double ratio = devicePixelRatioF();
    painter.translate(kMargin + m_gutter, kMargin - verticalScrollBar()->value());
    painter.scale(1 / ratio, 1 / ratio);
    QFont font = this->font();
    if (font.pixelSize() > 0)
        font.setPixelSize(static_cast<int>(font.pixelSize() * ratio));
    else
        font.setPointSizeF(font.pointSizeF() * ratio);
    const QRect dirty = event->rect();
    const QRect part(toMap(dirty.topLeft()), toMap(dirty.bottomRight() + QPoint(1, 1)));
    painter.setFont(font);
    paintShapes(painter, m_request.shapes);
    painter.translate(0, m_request.height);
    paintHeadings(painter, part, font);
    paintAddresses(painter, part);
    paintMap(painter, part, std::max(1, static_cast<int>(ratio + 0.5)));
    if (m_hasRowPerSegment)
        paintCaptions(painter, part);
    paintShapes(painter, m_marks);
    paintShapes(painter, m_ghost);
}

/// Lays out the bars of a failed request above the map, and below the bars the key, unless the map is short.
void AddressMapView::layOutRequest()
{
    constexpr double lowestBar = 1.2; // in heights of the font
    const AddressMapOptions layoutOptions = options();
    const RequestBarsLook look{.palette = FigurePalette::of(m_colors.ground()),
        .width = static_cast<double>(layoutOptions.width),
        .bytesPerPixel = m_map.bytesPerPixel,
        .rowHeight = std::max(static_cast<double>(layoutOptions.rowHeight), lowestBar * deviceFont()),
        .rowGap = static_cast<double>(layoutOptions.rowGap),
        .font = deviceFont(),
        .pixel = std::max(1.0, std::floor(devicePixelRatioF() + 0.5)),
        .maxFreeBlockRows = static_cast<std::size_t>(freeBlockRows())};
    m_request = requestBars(*m_analysis->trace, *m_moment, look, m_commonObstacle);
    if (!isShort())
        addMapKey(m_request, m_moment->state, look,
            std::ranges::any_of(
                m_moment->state.blocks, [this](const BlockAt& block) { return isKept(block.allocation); }));
}

/// True for a block that is kept from earlier steps; such blocks have the hatching of the timeline.
bool AddressMapView::isKept(AllocationIndex allocation) const
{
    return allocation != AllocationTable::kNoAllocation
        && m_analysis->keptBlocks->isKept(allocation, m_moment->state.event);
}

/// Paints the captions of the segments, over a dashed line down from the end of the failed request. The line
/// shows how long a free block would have to be.
void AddressMapView::paintCaptions(QPainter& painter, const QRect& part) const
{
    FigurePalette palette = FigurePalette::of(m_colors.ground());
    palette.background = m_colors.surface.rgb() & 0xffffff;
    if (m_request.requestEnd > 0 && part.bottom() > -m_request.height)
        paintShapes(painter,
            {FigureLine{.points
                = {{m_request.requestEnd, 0}, {m_request.requestEnd, static_cast<double>(m_map.height)}},
                .color = palette.danger,
                .width = devicePixelRatioF(),
                .dash = {2 * devicePixelRatioF(), 3 * devicePixelRatioF()}}});
    paintShapes(painter,
        segmentCaptions(m_analysis->sites, *m_moment, m_map,
            {.palette = palette,
                .rowHeight = options().rowHeight,
                .font = deviceFont(),
                .namesObstacles = m_commonObstacle.empty()}));
}

QString AddressMapView::textOf(const FreeListKey& key) const
{
    QString text = toQString(toText(*m_analysis->trace, key));
    for (const FreeListFigures& list : m_moment->figures.lists)
        if (list.key == key)
            text += QStringLiteral(": %1 in %2, %3 free, largest free block %4")
                        .arg(bytesText(list.reservedBytes),
                            countedText(list.segmentCount, "segment", "segments"), bytesText(list.freeBytes),
                            bytesText(list.largestFree));
    return text;
}

/// Returns true for the heading of the free list in which the failed request is outlined.
bool AddressMapView::isAboveGhost(const MapHeading& heading) const
{
    if (m_ghost.empty())
        return false;
    const auto& outline = std::get<FigureLine>(m_ghost.front());
    const auto next = std::ranges::find_if(
        m_map.headings, [&](const MapHeading& each) { return each.y > outline.points.front().y; });
    return next != m_map.headings.begin() && &*std::prev(next) == &heading;
}

/// Returns the whole heading in this row of pixels of the map; empty if there is none.
QString AddressMapView::headingAt(int y) const
{
    const auto heading = std::ranges::find_if(m_map.headings,
        [&](const MapHeading& each) { return y >= each.y && y < each.y + options().headingHeight; });
    if (!m_moment || heading == m_map.headings.end())
        return {};
    QStringList lines{textOf(heading->key)};
    if (const std::string request = requestGhostText(*m_moment); isAboveGhost(*heading) && !request.empty())
        lines << toQString(request);
    return lines.join(QLatin1Char('\n'));
}

void AddressMapView::paintHeadings(QPainter& painter, const QRect& part, const QFont& font) const
{
    painter.setFont(font);
    const int height = options().headingHeight;
    const QFontMetrics metrics(font);
    for (const MapHeading& heading : m_map.headings) {
        if (heading.y > part.bottom() || heading.y + 2 * height < part.top())
            continue;
        const QString request = isAboveGhost(heading) ? toQString(requestGhostText(*m_moment)) : QString();
        const int taken = request.isEmpty() ? 0 : metrics.horizontalAdvance(request) + height;
        const auto fits
            = [&](const QString& text) { return metrics.horizontalAdvance(text) <= m_map.width - taken; };
        const QRect line(0, heading.y, m_map.width, height);
        painter.setPen(m_colors.quietText);
        if (m_map.width - taken > 4 * height)
            painter.drawText(
                line, Qt::AlignLeft | Qt::AlignVCenter, shortenedToFit(textOf(heading.key), fits));
        painter.drawText(
            line, Qt::AlignRight | Qt::AlignVCenter, shortenedTo(line.width(), request, metrics));
    }
}

/// Paints the addresses of the rows left of the map.
void AddressMapView::paintAddresses(QPainter& painter, const QRect& part) const
{
    if (m_gutter == 0)
        return;
    const int right = static_cast<int>(kMargin * devicePixelRatioF());
    const int width = static_cast<int>(m_gutter * devicePixelRatioF());
    const int height = options().rowHeight;
    QFont small = painter.font();
    small.setPixelSize(static_cast<int>(deviceFont()));
    painter.save();
    painter.setFont(small);
    painter.setPen(m_colors.quietText);
    for (const RowAddress& row : rowAddresses(m_moment->state, m_map))
        if (row.y <= part.bottom() && row.y + height >= part.top())
            painter.drawText(QRect(-width, row.y, width - right, height),
                Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, toQString(formatAddress(row.address)));
    painter.restore();
}

/// Paints a part of the map, in device pixels. `pixel` is the number of device pixels per pixel of the
/// widget.
void AddressMapView::paintMap(QPainter& painter, const QRect& part, int pixel) const
{
    const BandPalette& palette = m_palette ? *m_palette : *m_analysis->sitePalette;
    const AddressMapLook look{.palette = FigurePalette::of(m_colors.ground()),
        .colorOf
        = [&](AllocationIndex i) { return palette.shade(i, m_colors.ground(), isKept(i)) & 0xffffff; },
        .isKept = [&](AllocationIndex i) { return isKept(i); },
        .rowHeight = options().rowHeight,
        .pixel = pixel,
        .marked = m_markedSegment};
    paintShapes(painter, addressMapShapes(m_moment->state, m_map, look, part.top(), part.bottom() + 1));
    if (m_marked == AllocationTable::kNoAllocation && m_hovered == AllocationTable::kNoAllocation)
        return;
    painter.setBrush(Qt::NoBrush);
    const auto isAbove = [&](const MapBox& each) { return each.y + look.rowHeight <= part.top(); };
    const auto first = std::ranges::partition_point(m_map.boxes, isAbove);
    for (const MapBox& box : std::span(first, m_map.boxes.end())) {
        if (box.y > part.bottom())
            break;
        const AllocationIndex allocation = m_moment->state.blocks[m_map.cells[box.cell].main].allocation;
        if (allocation == AllocationTable::kNoAllocation
            || (allocation != m_marked && allocation != m_hovered))
            continue;
        painter.setPen(QPen(m_colors.text, (allocation == m_marked ? 2 : 1) * pixel));
        painter.drawRect(QRect(box.x, box.y, box.width - 1, look.rowHeight - 1));
    }
}

} // namespace highwater::gui

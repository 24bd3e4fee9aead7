#pragma once

#include <QPainter>

#include "app/workspace/theme/band_palette.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/segments/allocator_moment.h"
#include "core/figure/layout/address_map.h"

namespace highwater::gui {

/// Draws an address map, or the part of it that a rectangle needs. Lengths are device pixels.
class AddressMapPainting
{
public:
    AddressMapPainting(const Trace& trace, const BandPalette& palette, const AllocatorMoment& moment,
        const AddressMap& map, const ThemeColors& colors, int rowHeight, int pixel);

    /// The highlighted allocations; kNoAllocation: none.
    void setMarked(AllocationIndex marked, AllocationIndex hovered);
    void setMarkedSegment(std::optional<std::uint32_t> segment) { m_markedSegment = segment; }
    void paint(QPainter& painter, const QRect& part, const QFont& headingFont) const;

    /// A sample of each state for a legend.
    static void paintSwatch(QPainter& painter, const QRect& rect, BlockState state, const QColor& color,
        const ThemeColors& colors);

private:
    void paintHeadings(QPainter& painter, const QRect& part, const QFont& font) const;
    void paintBox(QPainter& painter, const MapBox& box) const;
    void paintStrip(QPainter& painter, const MapStrip& strip) const;
    QColor colorOf(const MapCell& cell) const;
    QString textOf(const FreeListKey& key) const;

    const Trace& m_trace;
    const BandPalette& m_palette;
    const AllocatorMoment& m_moment;
    const AddressMap& m_map;
    const ThemeColors& m_colors;
    int m_rowHeight;
    int m_pixel; ///< of the screen's pixels, in device pixels
    AllocationIndex m_marked = AllocationTable::kNoAllocation;
    AllocationIndex m_hovered = AllocationTable::kNoAllocation;
    std::optional<std::uint32_t> m_markedSegment;
};

} // namespace highwater::gui

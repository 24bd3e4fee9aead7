#include "core/figure/segments/address_map_shapes.h"

#include <algorithm>

namespace highwater {

namespace {

class MapShapes
{
public:
    MapShapes(
        const SegmentState& state, const AddressMap& map, const AddressMapLook& look, FigurePoint offset)
        : m_state(state)
        , m_map(map)
        , m_look(look)
        , m_offset(offset)
    {
    }

    void addBox(const MapBox& box)
    {
        const MapCell& cell = m_map.cells[box.cell];
        const BlockAt& main = m_state.blocks[cell.main];
        const bool isNarrow = box.width <= 2 * m_look.pixel;
        FigureRect rect{.x = m_offset.x + box.x,
            .y = m_offset.y + box.y,
            // One pixel of background at the end separates adjacent cells.
            .width
            = static_cast<double>(box.width >= 4 * m_look.pixel ? box.width - m_look.pixel : box.width),
            .height = static_cast<double>(m_look.rowHeight),
            .fill = hasOutlines() ? m_look.palette.background : m_look.palette.border};
        if (m_look.titleOf)
            rect.title = m_look.titleOf(cell);
        if (isNarrow || !main.isFreeBlock())
            rect.fill = main.allocation == AllocationTable::kNoAllocation ? m_look.palette.quietText
                                                                          : m_look.colorOf(main.allocation);
        // A cell of at most two pixels fades in proportion to its free bytes.
        if (isNarrow && cell.freeBytes > 0)
            rect.opacity
                = static_cast<double>(cell.bytes() - cell.freeBytes) / static_cast<double>(cell.bytes());
        if (!isNarrow && isKept(main))
            addKept(rect);
        else
            m_shapes.emplace_back(rect);
        if (cell.pendingBytes > cell.activeBytes)
            addHatch(rect);
    }

    void addStrip(const MapStrip& strip)
    {
        const bool isMarked = m_look.marked == strip.segment;
        const double thickness = (isMarked ? 2 : 1) * m_look.pixel;
        const FigureColor color = isMarked ? m_look.palette.accent : m_look.palette.quietText;
        const double left = m_offset.x + strip.x;
        const double top = m_offset.y + strip.y;
        const auto addEdge = [&](double x, double y, double width, double height) {
            m_shapes.emplace_back(
                FigureRect{.x = x, .y = y, .width = width, .height = height, .fill = color});
        };
        addEdge(left, top, strip.width, thickness);
        addEdge(left, top + m_look.rowHeight - thickness, strip.width, thickness);
        // A segment that continues in the next row is left open there.
        if (strip.begins && strip.width > 2 * m_look.pixel)
            addEdge(left, top, thickness, m_look.rowHeight);
        if (strip.ends && strip.width > 2 * m_look.pixel)
            addEdge(left + strip.width - thickness, top, thickness, m_look.rowHeight);
    }

    std::vector<FigureShape> take() { return std::move(m_shapes); }

    /// True if rows are high enough for outlines: in lower rows nothing else would be visible.
    bool hasOutlines() const { return m_look.rowHeight >= 8 * m_look.pixel; }

private:
    bool isKept(const BlockAt& block) const
    {
        return m_look.isKept && !block.isFreeBlock() && block.allocation != AllocationTable::kNoAllocation
            && m_look.isKept(block.allocation);
    }

    void addKept(const FigureRect& rect)
    {
        const double right = rect.x + rect.width;
        const double bottom = rect.y + rect.height;
        m_shapes.emplace_back(
            FigurePolygon{.points = {{rect.x, rect.y}, {right, rect.y}, {right, bottom}, {rect.x, bottom}},
                .fill = rect.fill,
                .title = rect.title,
                .hatched = true});
    }

    /// Distinguishes pending frees without using colour.
    void addHatch(const FigureRect& rect)
    {
        const double right = rect.x + rect.width;
        const double bottom = rect.y + rect.height;
        for (double x = rect.x - rect.height; x < right; x += 4 * m_look.pixel) {
            const double cutAtLeft = std::max(0.0, rect.x - x);
            const double cutAtRight = std::max(0.0, x + rect.height - right);
            m_shapes.emplace_back(FigureLine{.points
                = {{x + cutAtLeft, bottom - cutAtLeft}, {x + rect.height - cutAtRight, rect.y + cutAtRight}},
                .color = m_look.palette.text,
                .width = static_cast<double>(m_look.pixel)});
        }
    }

    const SegmentState& m_state;
    const AddressMap& m_map;
    const AddressMapLook& m_look;
    FigurePoint m_offset;
    std::vector<FigureShape> m_shapes;
};

} // namespace

std::vector<FigureShape> addressMapShapes(const SegmentState& state, const AddressMap& map,
    const AddressMapLook& look, int top, int bottom, FigurePoint offset)
{
    MapShapes shapes(state, map, look, offset);
    const auto isAbove = [&](const auto& item) { return item.y + look.rowHeight <= top; };
    for (auto box = std::ranges::partition_point(map.boxes, isAbove);
         box != map.boxes.end() && box->y < bottom; ++box)
        shapes.addBox(*box);
    for (auto strip = std::ranges::partition_point(map.strips, isAbove);
         shapes.hasOutlines() && strip != map.strips.end() && strip->y < bottom; ++strip)
        shapes.addStrip(*strip);
    return shapes.take();
}

} // namespace highwater

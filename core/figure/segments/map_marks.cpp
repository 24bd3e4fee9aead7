#include "core/figure/segments/map_marks.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater {

namespace {

/// Returns a closed outline.
FigureLine outlineOf(const FigureArea& area, FigureColor color, double width)
{
    const double right = area.x + area.width;
    const double bottom = area.y + area.height;
    return {
        .points = {{area.x, area.y}, {right, area.y}, {right, bottom}, {area.x, bottom}, {area.x, area.y}},
        .color = color,
        .width = width};
}

} // namespace

std::vector<FigureShape> changeOutline(
    const AllocatorMoment& moment, const AddressMap& map, const MapMarksLook& look)
{
    std::vector<FigureShape> shapes;
    for (const MapStrip& part : findStrips(moment.state, map, moment.change.begin, moment.change.length))
        shapes.emplace_back(
            outlineOf({static_cast<double>(part.x), static_cast<double>(part.y),
                          static_cast<double>(part.width), static_cast<double>(look.rowHeight)},
                look.palette.accent, 2 * look.pixel));
    return shapes;
}

std::vector<FigureShape> requestGhostShapes(
    const AllocatorMoment& moment, const AddressMap& map, const MapMarksLook& look)
{
    if (!moment.ghost)
        return {};
    const BlockAt block = moment.state.blocks[moment.ghost->block];
    const std::vector<MapStrip> parts = findStrips(moment.state, map, block.address, block.size);
    if (parts.empty())
        return {};
    std::vector<FigureShape> shapes;
    for (const MapStrip& part : parts)
        shapes.emplace_back(
            outlineOf({static_cast<double>(part.x), static_cast<double>(part.y),
                          static_cast<double>(part.width), static_cast<double>(look.rowHeight)},
                look.palette.danger, 2 * look.pixel));
    // The request has its length in the gap below the row, where it covers no block.
    const double length = std::clamp(static_cast<double>(moment.ghost->bytes) / map.bytesPerPixel,
        3.0 * look.pixel, std::max(3.0 * look.pixel, static_cast<double>(map.width)));
    const double left = std::max(0.0, std::min(static_cast<double>(parts.front().x), map.width - length));
    const double y = static_cast<double>(parts.front().y + look.rowHeight) + 2 * look.pixel;
    const double tick = 2 * look.pixel;
    shapes.emplace_back(
        FigureLine{.points = {{left, y - tick}, {left, y}, {left + length, y}, {left + length, y - tick}},
            .color = look.palette.danger,
            .width = static_cast<double>(look.pixel)});
    return shapes;
}

std::string requestGhostText(const AllocatorMoment& moment)
{
    if (!moment.ghost || moment.ghost->event == moment.state.event) // the verdict says so at the failure
        return {};
    const Bytes shortBytes = moment.ghost->bytes - moment.state.blocks[moment.ghost->block].size;
    const std::string fit
        = shortBytes > 0 ? "is " + formatBytes(shortBytes) + " too small" : "is large enough";
    return fmt::format("outlined free block {} for the {} requested at event {}", fit,
        formatBytes(moment.ghost->bytes), formatCount(moment.ghost->event));
}

} // namespace highwater

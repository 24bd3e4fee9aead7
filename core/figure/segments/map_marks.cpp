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
    const FigureColor color = isAwayFromFailure(moment) ? look.palette.quietText : look.palette.danger;
    std::vector<FigureShape> shapes;
    for (const MapStrip& part : parts)
        shapes.emplace_back(
            outlineOf({static_cast<double>(part.x), static_cast<double>(part.y),
                          static_cast<double>(part.width), static_cast<double>(look.rowHeight)},
                color, 2 * look.pixel));
    // The request has its length in the gap below the row, where it covers no block.
    const double length = std::clamp(static_cast<double>(moment.ghost->bytes) / map.bytesPerPixel,
        3.0 * look.pixel, std::max(3.0 * look.pixel, static_cast<double>(map.width)));
    const double left = std::max(0.0, std::min(static_cast<double>(parts.front().x), map.width - length));
    const double y = static_cast<double>(parts.front().y + look.rowHeight) + 2 * look.pixel;
    const double tick = 2 * look.pixel;
    shapes.emplace_back(
        FigureLine{.points = {{left, y - tick}, {left, y}, {left + length, y}, {left + length, y - tick}},
            .color = color,
            .width = static_cast<double>(look.pixel)});
    return shapes;
}

bool isAwayFromFailure(const AllocatorMoment& moment)
{
    return moment.ghost && moment.ghost->event != moment.state.event;
}

std::string requestGhostText(const AllocatorMoment& moment)
{
    if (!isAwayFromFailure(moment)) // the verdict says so at the failure
        return {};
    const RequestGhost& ghost = *moment.ghost;
    const Bytes shortBytes = ghost.bytes - moment.state.blocks[ghost.block].size;
    return fmt::format("The {} that failed {}, at event {}, {} the outlined free block",
        formatBytes(ghost.bytes), moment.state.event < ghost.event ? "later" : "earlier",
        formatCount(ghost.event), shortBytes > 0 ? "is " + formatBytes(shortBytes) + " larger than" : "fits");
}

} // namespace highwater

#include "core/figure/segments/map_marks.h"

#include <algorithm>

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

/// Writes the bytes behind the request, before it, or over its beginning, wherever there is room.
void addGhostLabel(std::vector<FigureShape>& shapes, const std::string& text, const FigureArea& ghost,
    int width, const MapMarksLook& look)
{
    const double gap = 3 * look.pixel;
    const double length = textWidth(text, look.font) + 2 * gap;
    const bool fitsInside = length <= ghost.width - gap;
    const double end = ghost.x + ghost.width;
    const double x = fitsInside       ? ghost.x + gap
        : end + gap + length <= width ? end + gap
        : ghost.x - gap - length >= 0 ? ghost.x - gap - length
                                      : ghost.x + gap;
    shapes.emplace_back(FigureRect{.x = x,
        .y = ghost.y + look.pixel,
        .width = length,
        .height = ghost.height - 2 * look.pixel,
        .fill = look.palette.background,
        .opacity = 0.85});
    shapes.emplace_back(FigureText{.x = x + gap,
        .y = ghost.y + (ghost.height + look.font * 0.72) / 2,
        .text = text,
        .size = look.font,
        .color = look.palette.danger});
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
    const double length = std::clamp(static_cast<double>(moment.ghost->bytes) / map.bytesPerPixel,
        3.0 * look.pixel, std::max(3.0 * look.pixel, static_cast<double>(map.width)));
    const FigureArea area{std::max(0.0, std::min(static_cast<double>(parts.front().x), map.width - length)),
        static_cast<double>(parts.front().y - look.pixel), length,
        static_cast<double>(look.rowHeight + 2 * look.pixel)};
    FigureLine outline = outlineOf(area, look.palette.danger, 2 * look.pixel);
    outline.dash = {4.0 * look.pixel, 3.0 * look.pixel};
    std::vector<FigureShape> shapes{std::move(outline)};
    const bool isNow = moment.ghost->event == moment.state.event;
    const std::string when = isNow ? "" : " at event " + formatCount(moment.ghost->event);
    addGhostLabel(shapes, formatBytes(moment.ghost->bytes) + " requested" + when, area, map.width, look);
    return shapes;
}

} // namespace highwater

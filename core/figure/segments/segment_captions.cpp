#include "core/figure/segments/segment_captions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Returns "402 MiB, 166 MiB free".
std::string sizeCaption(const AllocatorMoment& moment, std::uint32_t segment)
{
    const SegmentAt& segmentAt = moment.state.segments[segment];
    const std::string text = formatBytes(segmentAt.range.size);
    if (segmentAt.isUnused())
        return text + ", unused";
    return segmentAt.freeBytes == 0 ? text
                                    : text + fmt::format(", {} free", formatBytes(segmentAt.freeBytes));
}

} // namespace

std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment)
{
    std::string text = sizeCaption(moment, segment);
    if (moment.state.segments[segment].isUnused() || moment.state.segments[segment].freeBytes == 0)
        return text;
    const auto held = std::ranges::find(moment.figures.held, segment, &HeldSegment::segment);
    if (held == moment.figures.held.end() || held->largest == AllocationTable::kNoAllocation)
        return text;
    const CallSite& site = sites.site(sites.of(held->largest));
    return text
        + fmt::format(
            ", held by {} of {}", counted(held->liveBlockCount, "block", "blocks"), nameText(site.label));
}

std::string commonObstacle(const CallSites& sites, const AllocatorMoment& moment)
{
    const std::vector<HeldSegment>& held = moment.figures.held;
    if (held.size() < 2 || held.front().largest == AllocationTable::kNoAllocation)
        return {};
    const auto site = sites.of(held.front().largest);
    const bool isCommon = std::ranges::all_of(held, [&](const HeldSegment& each) {
        return each.liveBlockCount == 1 && each.largest != AllocationTable::kNoAllocation
            && sites.of(each.largest) == site;
    });
    return isCommon ? fmt::format("{} segments, each held by a block of {}",
               formatCount(static_cast<std::int64_t>(held.size())), nameText(sites.site(site).label))
                    : std::string();
}

std::vector<FigureShape> segmentCaptions(
    const CallSites& sites, const AllocatorMoment& moment, const AddressMap& map, const CaptionLook& look)
{
    const double font = look.font;
    const double gap = font * 0.7;
    const double leastRoom = 8 * font;
    std::vector<FigureShape> shapes;
    for (const MapStrip& strip : map.strips) {
        const double end = strip.x + strip.width + gap;
        if (!strip.ends || map.width - end < leastRoom)
            continue;
        FigureText text
            = fitted(FigureText{.x = look.offset.x + end,
                         .y = look.offset.y + strip.y + (look.rowHeight + font * 0.72) / 2,
                         .text = look.namesObstacles ? segmentCaption(sites, moment, strip.segment)
                                                     : sizeCaption(moment, strip.segment),
                         .size = font,
                         .color = look.palette.quietText},
                map.width - end);
        shapes.emplace_back(FigureRect{.x = text.x - gap / 3,
            .y = look.offset.y + strip.y,
            .width = textWidth(text.text, font) + gap * 2 / 3,
            .height = static_cast<double>(look.rowHeight),
            .fill = look.palette.background});
        shapes.emplace_back(std::move(text));
    }
    return shapes;
}

} // namespace highwater

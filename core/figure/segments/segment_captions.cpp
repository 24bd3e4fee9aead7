#include "core/figure/segments/segment_captions.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

std::string segmentCaption(const CallSites& sites, const AllocatorMoment& moment, std::uint32_t segment)
{
    const SegmentAt& segmentAt = moment.state.segments[segment];
    std::string text = formatBytes(segmentAt.range.size);
    if (segmentAt.isUnused())
        return text + ", unused";
    if (segmentAt.freeBytes == 0)
        return text;
    text += fmt::format(", {} free", formatBytes(segmentAt.freeBytes));
    const auto pinned = std::ranges::find(moment.figures.pinned, segment, &PinnedSegment::segment);
    if (pinned == moment.figures.pinned.end() || pinned->largest == AllocationTable::kNoAllocation)
        return text;
    const CallSite& site = sites.site(sites.of(pinned->largest));
    return text
        + fmt::format(
            ", pinned by {} of {}", counted(pinned->liveBlocks, "block", "blocks"), nameText(site.label));
}

std::vector<FigureShape> segmentCaptions(const CallSites& sites, const AllocatorMoment& moment,
    const AddressMap& map, int rowHeight, double font, FigureColor color, FigurePoint offset)
{
    const double gap = font * 0.7;
    const double leastRoom = 8 * font;
    std::vector<FigureShape> shapes;
    for (const MapStrip& strip : map.strips) {
        const double end = strip.x + strip.width + gap;
        if (!strip.ends || map.width - end < leastRoom)
            continue;
        shapes.emplace_back(fitted(FigureText{.x = offset.x + end,
                                       .y = offset.y + strip.y + (rowHeight + font * 0.72) / 2,
                                       .text = segmentCaption(sites, moment, strip.segment),
                                       .size = font,
                                       .color = color},
            map.width - end));
    }
    return shapes;
}

} // namespace highwater

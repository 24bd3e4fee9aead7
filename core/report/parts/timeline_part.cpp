#include "core/report/parts/part_timelines.h"
#include "core/report/parts/parts.h"

namespace highwater {

std::vector<ReportBlock> timelinePart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (!material.request.options.summaryHasTimeline())
        addMainTimeline(blocks, material);
    addTimelines(blocks, material);
    return blocks;
}

} // namespace highwater

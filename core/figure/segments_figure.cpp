#include "core/figure/segments_figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/segments/segment_state.h"
#include "core/base/text_format.h"
#include "core/figure/address_map_shapes.h"
#include "core/figure/stacked_groups.h"

namespace highwater {

namespace {

constexpr double kHeadingBaseline = 15;

/// From the roomiest layout to the densest: the first that fits is taken.
AddressMap fittingMap(const SegmentState& state, int width, int height, int& rowHeight)
{
    AddressMap map;
    for (const AddressMapOptions& dense :
        {AddressMapOptions{.rowHeight = 16, .rowGap = 4, .order = SegmentOrder::ByFreeList},
            AddressMapOptions{.rowHeight = 14, .rowGap = 4, .order = SegmentOrder::ByAddress},
            AddressMapOptions{.rowHeight = 8, .rowGap = 2, .order = SegmentOrder::ByAddress},
            AddressMapOptions{
                .rowHeight = 4, .rowGap = 1, .segmentGap = 1, .order = SegmentOrder::ByAddress}}) {
        AddressMapOptions options = dense;
        options.width = width;
        options.bytesPerPixel = std::max(scaleToFit(state, options, height), 1.0);
        map = addressMap(state, options);
        rowHeight = options.rowHeight;
        if (map.height <= height)
            break;
    }
    return map;
}

std::string momentText(const DeviceStudy& study, std::int64_t event)
{
    if (event < 0)
        return "Before the first event";
    const std::string text = "After event " + formatCount(event);
    const std::size_t row = study.trace.row(study.device, event);
    if (study.trace.events.action[row] != Action::Oom)
        return text;
    return fmt::format("{}, out of memory asking for {}", text, formatBytes(study.trace.events.size[row]));
}

std::string subtitleOf(const DeviceStudy& study, const SegmentState& state)
{
    std::string text = fmt::format("{}: {} reserved in {} segments; {} in blocks, {} free in {} holes",
        momentText(study, state.event), formatBytes(state.reservedBytes), formatCount(state.segments.size()),
        formatBytes(state.liveBytes()), formatBytes(state.freeBytes), formatCount(state.holes));
    if (state.pendingBytes > 0)
        text
            += fmt::format("; {} of the blocks are freed but still awaited", formatBytes(state.pendingBytes));
    return text + (state.isExact() ? "." : ". Some block sizes are inferred.");
}

/// Colours of blocks and their legend.
class BlockColors
{
public:
    BlockColors(const DeviceStudy& study, const LiveIndex& live, const SegmentState& state)
        : m_groups(stackGroups(study, live, bestStacking(study, state.event), state.event))
        , m_state(state)
    {
    }
    FigureColor of(AllocationIndex allocation) const
    {
        return m_groups.groups[m_groups.rankOf[allocation]].color;
    }
    std::vector<LegendEntry> legend() const
    {
        std::vector<LegendEntry> entries;
        for (const StackedGroup& group : m_groups.groups)
            if (group.bytes > 0)
                entries.push_back({group.label, formatBytes(group.bytes), group.color, false, false});
        entries.push_back({.label = "free", .value = formatBytes(m_state.freeBytes), .isOutline = true});
        return entries;
    }
    std::string title(const MapCell& cell) const
    {
        const BlockAt& block = m_state.blocks[cell.main];
        return fmt::format("{} at {}: {}", formatBytes(block.size), formatAddress(block.address),
            block.isHole() || block.allocation == AllocationTable::kNoAllocation
                ? "free"
                : m_groups.groups[m_groups.rankOf[block.allocation]].label);
    }

private:
    StackedGroups m_groups;
    const SegmentState& m_state;
};

void drawMap(FigureSheet& sheet, const Trace& trace, const SegmentState& state, const AddressMap& map,
    const BlockColors& colors, const PlotFrame& plot, int rowHeight)
{
    for (const MapHeading& heading : map.headings)
        if (plot.top + heading.y + kHeadingBaseline <= plot.bottom)
            sheet.quietText(plot.left, plot.top + heading.y + kHeadingBaseline, toText(trace, heading.key));
    const AddressMapLook look{.colorOf = [&](AllocationIndex i) { return colors.of(i); },
        .titleOf = [&](const MapCell& cell) { return colors.title(cell); },
        .rowHeight = rowHeight};
    const int end = static_cast<int>(plot.height()) + 1 - rowHeight; // of rows that fit wholly
    for (FigureShape& shape : addressMapShapes(state, map, look, 0, end + 1, {plot.left, plot.top}))
        sheet.add(std::move(shape));
    if (const auto left = std::ranges::count_if(map.boxes, [end](const MapBox& box) { return box.y > end; }))
        sheet.quietText(plot.right, plot.bottom + FigureSheet::kFont,
            fmt::format("{} more blocks do not fit: a higher figure shows them (--size)", formatCount(left)),
            TextAnchor::End);
}

} // namespace

Figure segmentsFigure(const DeviceStudy& study, std::int64_t event, const FigureOptions& options)
{
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    const SegmentState state = history.at(event);
    FigureSheet sheet(options, fmt::format("{} · {} · segments", options.source, study.about().label()),
        subtitleOf(study, state));
    if (state.segments.empty()) {
        sheet.text(sheet.margin(), sheet.contentTop() + 20, "No memory was reserved.");
        return sheet.take();
    }
    const BlockColors colors(study, live, state);
    const std::vector<LegendEntry> legend = sheet.fittingLegend(colors.legend());
    const PlotFrame plot = sheet.plot(0, 14, legend);
    int rowHeight = 0;
    const AddressMap map
        = fittingMap(state, static_cast<int>(plot.width()), static_cast<int>(plot.height()), rowHeight);
    drawMap(sheet, study.trace, state, map, colors, plot, rowHeight);
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

#include "core/figure/segments/segments_figure.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/segments/segment_state.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/figure/band_areas.h"
#include "core/figure/segments/address_map_shapes.h"
#include "core/figure/segments/request_bars.h"
#include "core/figure/segments/segment_captions.h"
#include "core/figure/stacked_groups.h"

namespace highwater {

namespace {

constexpr double kHeadingBaseline = 15;
constexpr double kSegmentFont = 11;
constexpr int kCaptionRoom = 260;
/// Fewer segments than this are wrapped, which uses the width better than a row for each.
constexpr std::size_t kFewestSegmentRows = 4;
/// Height of the request and the free blocks above the map.
constexpr double kBarsRow = 20;
constexpr double kBarsHeight = 5 * kBarsRow + 12;

/// Chooses a layout: a row for each segment with its caption if there is room, else the first that fits, from
/// the roomiest to the densest. The scale lets a request of `request` bytes fit the width.
AddressMap fittingMap(
    const SegmentState& state, Bytes request, int width, int height, int& rowHeight, bool& hasRowEach)
{
    AddressMap map;
    const double leastScale = std::max(static_cast<double>(request) / width, 1.0);
    AddressMapOptions rowOptions{
        .width = width, .rowHeight = 14, .rowGap = 4, .order = SegmentOrder::ByFreeList};
    rowOptions.bytesPerPixel = rowPerSegmentScale(state, request, width, kCaptionRoom);
    hasRowEach = state.segments.size() >= kFewestSegmentRows && hasRowForEach(state, rowOptions, height);
    if (hasRowEach) {
        rowOptions.hasRowPerSegment = true;
        rowHeight = rowOptions.rowHeight;
        return addressMap(state, rowOptions);
    }
    for (const AddressMapOptions& candidate :
        {AddressMapOptions{.rowHeight = 16, .rowGap = 4, .order = SegmentOrder::ByFreeList},
            AddressMapOptions{.rowHeight = 14, .rowGap = 4, .order = SegmentOrder::ByAddress},
            AddressMapOptions{.rowHeight = 8, .rowGap = 2, .order = SegmentOrder::ByAddress},
            AddressMapOptions{
                .rowHeight = 4, .rowGap = 1, .segmentGap = 1, .order = SegmentOrder::ByAddress}}) {
        AddressMapOptions options = candidate;
        options.width = width;
        options.bytesPerPixel = std::max(scaleToFit(state, options, height), leastScale);
        map = addressMap(state, options);
        rowHeight = options.rowHeight;
        if (map.height <= height)
            break;
    }
    return map;
}

std::string momentText(const DeviceStudy& study, std::int64_t event)
{
    const std::string text = upperFirst(momentIn(study.trace, event));
    if (event < 0)
        return text;
    const std::size_t row = study.trace.row(study.device, event);
    if (study.trace.events.action[row] != Action::Oom)
        return text;
    return fmt::format("{}, out of memory, {} requested", text, formatBytes(study.trace.events.size[row]));
}

std::string subtitleOf(const DeviceStudy& study, const SegmentState& state)
{
    std::string text = fmt::format("{}: {} reserved in {} segments; {} in blocks, {} in {} free blocks",
        momentText(study, state.event), formatBytes(state.reservedBytes), formatCount(state.segments.size()),
        formatBytes(state.liveBytes()), formatBytes(state.freeBytes), formatCount(state.freeBlockCount));
    if (state.pendingBytes > 0)
        text += fmt::format("; {} of it freed but in use by another stream", formatBytes(state.pendingBytes));
    return text + (state.isExact() ? "." : ". Some block sizes are inferred.");
}

/// The colours of blocks and their legend.
class BlockColors
{
public:
    BlockColors(const DeviceStudy& study, const LiveIndex& live, const SegmentState& state)
        : m_groups(bestStacking(study, state.event) == StackedBy::Category
                ? stackKeptApart(study, live, state.event)
                : stackGroups(study, live, StackedBy::Site, state.event))
        , m_state(state)
    {
    }
    FigureColor colorOf(AllocationIndex allocation) const { return groupOf(allocation).color; }
    bool isKept(AllocationIndex allocation) const
    {
        return m_groups.bands.keptBlocks && m_groups.bands.keptBlocks->isKept(allocation, m_state.event);
    }
    std::vector<LegendEntry> legend() const
    {
        std::vector<Bytes> bytes;
        for (const StackedGroup& group : m_groups.groups)
            bytes.push_back(group.bytes);
        std::vector<LegendEntry> entries = areaLegend(m_groups, {bytes});
        entries.push_back({.label = "free",
            .value = formatBytes(m_state.freeBytes),
            .isOutline = true,
            .bytes = m_state.freeBytes});
        return entries;
    }
    std::string title(const MapCell& cell) const
    {
        const BlockAt& block = m_state.blocks[cell.main];
        return fmt::format("{} at {}: {}", formatBytes(block.size), formatAddress(block.address),
            block.isFreeBlock() || block.allocation == AllocationTable::kNoAllocation
                ? "free"
                : groupOf(block.allocation).label);
    }

private:
    const StackedGroup& groupOf(AllocationIndex allocation) const
    {
        return m_groups.groups[m_groups.bands.rankAt(allocation, m_state.event)];
    }

    StackedGroups m_groups;
    const SegmentState& m_state;
};

void drawMap(FigureSheet& sheet, const Trace& trace, const SegmentState& state, const AddressMap& map,
    const BlockColors& colors, const PlotFrame& plot, int rowHeight)
{
    for (const MapHeading& heading : map.headings)
        if (plot.top + heading.y + kHeadingBaseline <= plot.bottom)
            sheet.quietText(plot.left, plot.top + heading.y + kHeadingBaseline, toText(trace, heading.key));
    const AddressMapLook look{.colorOf = [&](AllocationIndex i) { return colors.colorOf(i); },
        .isKept = [&](AllocationIndex i) { return colors.isKept(i); },
        .titleOf = [&](const MapCell& cell) { return colors.title(cell); },
        .rowHeight = rowHeight};
    const int end = static_cast<int>(plot.height()) + 1 - rowHeight; // end of the rows that fit completely
    for (FigureShape& shape : addressMapShapes(state, map, look, 0, end + 1, {plot.left, plot.top}))
        sheet.add(std::move(shape));
    std::set<std::uint32_t> shownCells;
    for (const MapBox& box : map.boxes)
        if (box.y <= end)
            shownCells.insert(box.cell);
    std::int64_t omittedBlocks = 0;
    for (std::uint32_t cell = 0; cell < map.cells.size(); ++cell)
        if (!shownCells.contains(cell))
            omittedBlocks += map.cells[cell].blocks.last - map.cells[cell].blocks.first;
    if (omittedBlocks > 0)
        sheet.quietText(plot.right, plot.bottom + FigureSheet::kFont,
            fmt::format(
                "{} more blocks do not fit; increase the height (--size)", formatCount(omittedBlocks)),
            TextAnchor::End);
}

/// Draws the request and the free blocks above the map, all at one scale.
void drawSegments(FigureSheet& sheet, const DeviceStudy& study, const AllocatorMoment& moment,
    const BlockColors& colors, PlotFrame plot)
{
    const Bytes request = moment.verdict ? moment.verdict->requestedBytes : 0;
    const std::string obstacle = request > 0 ? commonObstacle(study.sites, moment) : std::string();
    const double barsRoom = (request > 0 ? kBarsHeight : 0) + (obstacle.empty() ? 0 : kBarsRow);
    int rowHeight = 0;
    bool hasRowEach = false;
    const AddressMap map = fittingMap(moment.state, request, static_cast<int>(plot.width()),
        static_cast<int>(plot.height() - barsRoom), rowHeight, hasRowEach);
    RequestBars bars = requestBars(study.trace, moment,
        {.width = plot.width(),
            .bytesPerPixel = map.bytesPerPixel,
            .font = kSegmentFont,
            .offset = {plot.left, plot.top}},
        obstacle);
    for (FigureShape& shape : bars.shapes)
        sheet.add(std::move(shape));
    plot.top += bars.height;
    drawMap(sheet, study.trace, moment.state, map, colors, plot, rowHeight);
    if (!hasRowEach)
        return;
    if (bars.height > 0)
        sheet.add(FigureLine{.points
            = {{plot.left + bars.requestEnd, plot.top}, {plot.left + bars.requestEnd, plot.top + map.height}},
            .color = sheet.palette().danger,
            .dash = {2, 3}});
    for (FigureShape& shape : segmentCaptions(study.sites, moment, map,
             {.palette = sheet.palette(),
             .rowHeight = rowHeight,
             .font = kSegmentFont,
             .offset = {plot.left, plot.top},
             .namesObstacles = obstacle.empty()}))
        sheet.add(std::move(shape));
}

} // namespace

Figure segmentsFigure(const DeviceStudy& study, std::int64_t event, const FigureOptions& options)
{
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    const AllocatorMoment moment = allocatorMomentAt(history, event);
    const SegmentState& state = moment.state;
    FigureSheet sheet(options, fmt::format("{} · {} · segments", options.source, study.about().words()),
        subtitleOf(study, state));
    if (state.segments.empty()) {
        sheet.text(sheet.margin(), sheet.contentTop() + 20, "No memory was reserved.");
        return sheet.take();
    }
    const BlockColors colors(study, live, state);
    const std::vector<LegendEntry> legend = sheet.fittingLegend(colors.legend());
    const PlotFrame plot = sheet.plot(0, 14, legend);
    drawSegments(sheet, study, moment, colors, plot);
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

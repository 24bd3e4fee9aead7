#include "core/figure/timeline_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag_shapes.h"
#include "core/figure/lane_shapes.h"

namespace highwater {

namespace {

/// Below this height the plot needs the room of the lanes.
constexpr double kLowestWithLanes = 350;

/// The data of the figure, before layout.
struct TimelineData
{
    EventRange range;
    CurvePeak peak; ///< Within the range
    bool isRunPeak = false; ///< True if the peak is that of the whole run
    Bytes reservedPeak = 0; ///< Within the range
    std::vector<OomEvent> ooms; ///< Within the range
    std::optional<DeviceCapacity> capacity;
};

Bytes reservedPeakIn(const UsageCurve& curve, const EventRange& range)
{
    Bytes highest = curve.reservedAt(range.first);
    for (const UsageCurve::ReservedChange& change : curve.reservedChanges())
        if (change.event >= range.first && change.event < range.last)
            highest = std::max(highest, change.bytes);
    return highest;
}

TimelineData collectData(
    const DeviceStudy& study, const EventRange& range, const std::optional<DeviceCapacity>& capacity)
{
    TimelineData data;
    data.range = range;
    data.peak = study.curve.peak(range.first, range.last);
    data.isRunPeak = data.peak.bytes == study.curve.peak().bytes;
    data.reservedPeak = reservedPeakIn(study.curve, range);
    data.capacity = capacity ? capacity : knownCapacity(study.about(), study.figures.ooms, study.curve);
    for (const OomEvent& oom : study.figures.ooms)
        if (oom.event >= range.first && oom.event < range.last)
            data.ooms.push_back(oom);
    return data;
}

Bytes axisTop(const TimelineData& data)
{
    const Bytes highest = std::max({data.peak.bytes, data.reservedPeak, Bytes{1}});
    return data.capacity && isNear(*data.capacity, highest) ? std::max(highest, data.capacity->bytes)
                                                            : highest;
}

std::string momentText(const DeviceStudy& study, std::int64_t event)
{
    std::string text = formatMoment(event);
    const std::optional<std::size_t> step = study.steps.stepOf(event);
    if (step && study.steps.source != StepSource::Whole)
        text += ", " + nameText(study.steps.steps[*step].name);
    if (const Phase phase = study.phases.at(event); phase != Phase::Unknown)
        text += fmt::format(", {}", toText(phase));
    return text;
}

std::string timelineSubtitle(const DeviceStudy& study, const TimelineData& data, const StackedGroups& stacked)
{
    const bool isAtLeast = totalsAreAtLeast(study.about());
    std::string text = fmt::format("{} {}{} ({}) {}",
        data.isRunPeak ? "Peak" : "Highest in this range:", isAtLeast ? "at least " : "",
        formatBytes(data.peak.bytes), inWords(study.allocations.quantity()),
        momentText(study, data.peak.event));
    if (data.reservedPeak > 0)
        text += fmt::format(
            "; reserved {} {}", isAtLeast ? "at least" : "up to", formatBytes(data.reservedPeak));
    if (data.capacity)
        text += fmt::format("; capacity {}", toText(*data.capacity));
    return text
        + fmt::format(". By {}{}; below: bytes of each at the {}.",
            stacked.by == StackedBy::Site ? "call site" : toText(stacked.by),
            stacked.bands.held ? " (kept: from earlier steps)" : "",
            data.isRunPeak ? "peak" : "highest moment");
}

/// Appends the upper edge of an area: a step per column; equal columns are joined, as are those that differ
/// from the drawn one by less than the tolerance.
void appendEdge(std::vector<FigurePoint>& points, const PlotFrame& plot, const std::vector<Bytes>& heights,
    double tolerance)
{
    const double columnWidth = plot.width() / static_cast<double>(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) {
        if (i > 0 && heights[i] == heights[i - 1])
            continue;
        const double x = plot.left + columnWidth * static_cast<double>(i);
        const double y = plot.y(static_cast<double>(heights[i]));
        if (i > 0 && std::abs(y - points.back().y) < tolerance)
            continue;
        if (i > 0)
            points.push_back({x, points.back().y});
        points.push_back({x, y});
    }
    points.push_back({plot.right, points.back().y});
}

/// Draws the areas. Each extends down to 0 and is painted before those below it, so that there are no seams.
void drawAreas(FigureSheet& sheet, const PlotFrame& plot, const StackedGroups& stacked,
    const std::vector<std::vector<Bytes>>& totals, double tolerance)
{
    std::vector<Bytes> heights(totals.size(), 0);
    for (std::size_t column = 0; column < totals.size(); ++column)
        for (const Bytes bytes : totals[column])
            heights[column] += bytes;
    for (std::size_t group = stacked.groups.size(); group-- > 0;) {
        const bool hasBytes = std::any_of(
            totals.begin(), totals.end(), [&](const auto& column) { return column[group] > 0; });
        if (hasBytes) {
            FigurePolygon area{
                .points = {}, .fill = stacked.groups[group].color, .title = stacked.groups[group].label};
            area.points.push_back({plot.left, plot.bottom});
            appendEdge(area.points, plot, heights, tolerance);
            area.points.push_back({plot.right, plot.bottom});
            sheet.add(std::move(area));
        }
        for (std::size_t column = 0; column < totals.size(); ++column)
            heights[column] -= totals[column][group];
    }
}

void drawReserved(FigureSheet& sheet, const PlotFrame& plot, const DeviceStudy& study,
    const EventRange& range, std::size_t columns)
{
    std::vector<Bytes> heights;
    const double perColumn = static_cast<double>(range.last - range.first) / static_cast<double>(columns);
    const std::vector<UsageCurve::ReservedChange>& changes = study.curve.reservedChanges();
    Bytes bytes = study.curve.reservedAt(range.first);
    std::size_t next = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        const auto end = static_cast<std::int64_t>(
            std::ceil(static_cast<double>(range.first) + perColumn * static_cast<double>(i + 1)));
        Bytes highest = bytes;
        for (; next < changes.size() && changes[next].event < end; ++next)
            if (changes[next].event > range.first) {
                bytes = changes[next].bytes;
                highest = std::max(highest, bytes);
            }
        heights.push_back(highest);
    }
    FigureLine edge = styledLine(LineKind::Reserved, {});
    appendEdge(edge.points, plot, heights, 0);
    FigurePolygon area{.points = {{plot.left, plot.bottom}}, .fill = sheet.palette().reserved};
    area.points.insert(area.points.end(), edge.points.begin(), edge.points.end());
    area.points.push_back({plot.right, plot.bottom});
    sheet.add(std::move(area));
    sheet.add(std::move(edge));
}

void drawMarks(FigureSheet& sheet, const PlotFrame& plot, const TimelineData& data)
{
    const FigureColor danger = sheet.palette().danger;
    if (data.capacity && static_cast<double>(data.capacity->bytes) <= plot.yTop) {
        const double y = plot.y(static_cast<double>(data.capacity->bytes));
        sheet.add(styledLine(LineKind::Capacity, {{plot.left, y}, {plot.right, y}}));
    }
    for (const OomEvent& oom : data.ooms) {
        const double x = plot.x(static_cast<double>(oom.event));
        sheet.add(styledLine(LineKind::OutOfMemory, {{x, plot.top}, {x, plot.bottom}}));
    }
    const double x = plot.x(static_cast<double>(data.peak.event) + 0.5);
    const double y = plot.y(static_cast<double>(data.peak.bytes));
    const FigureColor ink = sheet.palette().text;
    sheet.add(
        FigurePolygon{.points = {{x - 5, y - 9}, {x + 5, y - 9}, {x, y - 1}}, .fill = ink, .title = {}});
    sheet.label(x, y - 8, (data.isRunPeak ? "peak " : "highest ") + formatBytes(data.peak.bytes), ink, plot);
    if (!data.ooms.empty())
        sheet.label(plot.x(static_cast<double>(data.ooms.front().event)), plot.bottom - 4,
            "out of memory, requested " + formatBytes(data.ooms.front().requestedBytes), danger, plot);
}

/// Merges groups with the same label.
std::vector<StackedGroup> mergedByLabel(
    const StackedGroups& stacked, const std::vector<std::vector<Bytes>>& totals)
{
    std::vector<StackedGroup> labels;
    for (std::size_t i = 0; i < stacked.groups.size(); ++i) {
        const StackedGroup& group = stacked.groups[i];
        if (group.bytes == 0
            && std::ranges::none_of(totals, [i](const auto& column) { return column[i] > 0; }))
            continue;
        const auto sameLabel = std::ranges::find(labels, group.label, &StackedGroup::label);
        if (sameLabel == labels.end())
            labels.push_back(group);
        else
            sameLabel->bytes += group.bytes;
    }
    return labels;
}

/// Returns an entry for everything drawn, including groups without bytes at the peak.
std::vector<LegendEntry> bandLegend(const FigurePalette& palette, const StackedGroups& stacked,
    const std::vector<std::vector<Bytes>>& totals, const TimelineData& data, Bytes top)
{
    std::vector<LegendEntry> entries;
    for (const StackedGroup& group : mergedByLabel(stacked, totals))
        entries.push_back(LegendEntry::area(group.label, group.bytes, group.color));
    if (data.reservedPeak > 0)
        entries.push_back(
            {"reserved", "up to " + formatBytes(data.reservedPeak), palette.reservedEdge, true});
    if (data.capacity && data.capacity->bytes <= top)
        entries.push_back({"capacity", toText(*data.capacity), palette.danger, true, true});
    return entries;
}

/// Moves the flag of a moment to the middle of its event; the moment before the first event is at the left
/// edge.
std::vector<NoteFlag> flagsAtEvents(std::vector<NoteFlag> flags)
{
    for (NoteFlag& flag : flags)
        if (flag.first == flag.last)
            flag.first = flag.last = flag.first == -1 ? 0 : flag.first + 0.5;
    return flags;
}

} // namespace

Bytes timelineTop(
    const DeviceStudy& study, const EventRange& range, const std::optional<DeviceCapacity>& capacity)
{
    return axisTop(collectData(study, range, capacity));
}

Figure timelineFigure(const DeviceStudy& study, const EventRange& range, const FigureOptions& options,
    std::optional<StackedBy> by, const TimelineExtras& extras)
{
    const TimelineData data = collectData(study, range, extras.capacity);
    const StackedBy stacking = by.value_or(bestStacking(study, data.peak.event));
    const LiveIndex live(study.allocations);
    const StackedGroups stacked = stacking == StackedBy::Category
        ? stackKeptApart(study, live, data.peak.event)
        : stackGroups(study, live, stacking, data.peak.event);
    FigureSheet sheet(options, fmt::format("{} · {}", options.source, study.about().label()),
        timelineSubtitle(study, data, stacked));
    // The plot is as wide as the sheet allows, whatever the legend contains.
    PlotFrame plot;
    plot.left = sheet.margin() + FigureSheet::kLabelRoom;
    plot.right = sheet.width() - sheet.margin();
    plot.xBegin = static_cast<double>(range.first);
    plot.xEnd = static_cast<double>(range.last);
    const auto width = static_cast<int>(std::max(1.0, std::floor(plot.width())));
    const EventScale scale(study.trace, study.device, AxisKind::Event);
    const auto totals
        = groupTotals(stacked, live, pixelColumns(study.curve, scale, plot.xBegin, plot.xEnd, width));
    const Bytes top = std::max(axisTop(data), extras.leastTop);
    const std::vector<LegendEntry> legend
        = sheet.fittingLegend(bandLegend(sheet.palette(), stacked, totals, data, top));
    plot.top = sheet.contentTop();
    if (sheet.height() >= kLowestWithLanes)
        plot.top += drawLanes(sheet, study, range, sheet.contentTop(), plot);
    const std::vector<FlagPlace> flags = placeFlags(flagsAtEvents(extras.flags), plot);
    plot.top += flagsHeight(flags);
    plot.bottom = sheet.height() - sheet.margin() - sheet.legendHeight(legend) - FigureSheet::kAxisRoom;
    plot.fitBytes(top, data.peak.bytes);
    sheet.byteAxis(plot, fmt::format("{} bytes", inWords(study.allocations.quantity())));
    drawFlagBands(sheet, plot, flags);
    if (data.reservedPeak > 0)
        drawReserved(sheet, plot, study, range, static_cast<std::size_t>(width));
    drawAreas(sheet, plot, stacked, totals, options.tolerance);
    drawFlags(sheet, plot, flags);
    drawMarks(sheet, plot, data);
    if (range.last > 0)
        sheet.countAxis(plot,
            countTicks(plot.xBegin, plot.xEnd, std::max(1, static_cast<int>(plot.width() / 110))), "event");
    else
        sheet.countAxis(plot, {}, "no events; the file shows one moment");
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

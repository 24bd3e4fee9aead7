#include "core/figure/timeline_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/figure/band_areas.h"
#include "core/figure/drawing/note_flag_shapes.h"
#include "core/figure/lane_shapes.h"
#include "core/figure/raster/step_columns.h"

namespace highwater {

namespace {

/// Below this height the plot needs the room of the lanes.
constexpr double kLowestWithLanes = 350;
/// Width of the mark of the peak.
constexpr double kTriangleWidth = 10;
/// Height of one row of the legend, which a figure always has.
constexpr double kLeastLegend = 20;

/// The data of the figure, before layout.
struct TimelineData
{
    EventRange range;
    CurvePeak peak; ///< Within the range
    bool isRunPeak = false; ///< True if the peak is that of the whole run
    bool isAtLeast = false; ///< True if totals are lower bounds
    std::string peakLabel; ///< "peak 22.62 GiB", "highest readable total ≥ 6 MiB", "highest 3 GiB"
    Bytes reservedPeak = 0; ///< Within the range
    std::vector<OomEvent> ooms; ///< Within the range
    Bytes atFailure = 0; ///< In use at the first of the failures
    std::optional<DeviceCapacity> capacity;
    std::size_t stepsPerGroup = 0; ///< `StepColumns::stepsPerGroup`
};

Bytes reservedPeakIn(const UsageCurve& curve, const EventRange& range)
{
    Bytes highest = curve.reservedAt(range.first).value_or(0);
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
    data.isAtLeast = totalsAreLowerBounds(study.about());
    data.peakLabel = fmt::format("{} {}{}", data.isRunPeak ? nameOfHighest(study) : "highest",
        data.isAtLeast ? "≥ " : "", formatBytes(data.peak.bytes));
    data.reservedPeak = reservedPeakIn(study.curve, range);
    data.capacity = capacity ? capacity : knownCapacity(study.about(), study.figures.ooms, study.curve);
    for (const OomEvent& oom : study.figures.ooms)
        if (oom.event >= range.first && oom.event < range.last)
            data.ooms.push_back(oom);
    if (!data.ooms.empty())
        data.atFailure = study.curve.at(data.ooms.front().event);
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
    std::string text = momentIn(study.trace, event);
    const std::optional<std::size_t> step = study.steps.stepOf(event);
    if (step && study.steps.source != StepSource::Whole)
        text += ", " + nameText(study.steps.steps[*step].name);
    if (const Phase phase = study.phases.at(event); phase != Phase::Unknown)
        text += fmt::format(", {}", toText(phase));
    return text;
}

std::string groupingText(const DeviceStudy& study, const TimelineData& data, const StackedGroups& stacked)
{
    return fmt::format("{}By {}{}; below: bytes of each at the {}.",
        data.stepsPerGroup == 0
            ? ""
            : fmt::format("Peaks of every {} steps, pale above the lowest, and as a line their median. ",
                formatCount(static_cast<std::int64_t>(data.stepsPerGroup))),
        stacked.by == StackedBy::Site ? "call site" : toText(stacked.by),
        stacked.bands.keptBlocks && stacked.bands.keptBlocks->isAny() ? "; hatched: kept from earlier steps"
                                                                      : "",
        data.isRunPeak ? nameOfHighest(study) : "highest moment");
}

std::string timelineSubtitle(const DeviceStudy& study, const TimelineData& data, const StackedGroups& stacked)
{
    std::string text = fmt::format("{} {}{} ({}) {}",
        !data.isRunPeak                                   ? "Highest in this range:"
            : !study.trace.metadata.hasHistory            ? "In use:"
            : isPeakAtEvent(study.about(), study.figures) ? "Peak"
                                                          : "Highest readable total:",
        data.isAtLeast ? "at least " : "", formatBytes(data.peak.bytes),
        inWords(study.allocations.quantity()), momentText(study, data.peak.event));
    if (data.reservedPeak > 0)
        text += fmt::format(
            "; reserved {} {}", data.isAtLeast ? "at least" : "up to", formatBytes(data.reservedPeak));
    if (data.capacity)
        text += "; " + lineLabel(*data.capacity);
    return fmt::format("{}. {}", text, groupingText(study, data, stacked));
}

StackedGroups stackFor(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event)
{
    if (by == StackedBy::Site)
        return stackSites(study, live, event);
    return by == StackedBy::Category ? stackKeptApart(study, live, event)
                                     : stackGroups(study, live, by, event);
}

/// Begins the figure. The headline of the run, if it is known, is the title.
FigureSheet sheetFor(const DeviceStudy& study, const TimelineData& data, const StackedGroups& stacked,
    const FigureOptions& options)
{
    const std::string source = fmt::format("{} · {}", options.source, study.about().words());
    const std::string sentence = timelineSubtitle(study, data, stacked);
    if (options.headline.empty())
        return FigureSheet(options, source, sentence);
    const bool endsInStop = options.headline.ends_with('.');
    return FigureSheet(options, options.headline.substr(0, options.headline.size() - (endsInStop ? 1 : 0)),
        fmt::format("{}. {}", source, groupingText(study, data, stacked)),
        fmt::format("{}. {}", source, sentence));
}

/// Draws the reserved bytes from the first total that the file reports on.
void drawReserved(FigureSheet& sheet, const PlotFrame& plot, const DeviceStudy& study,
    const EventRange& range, std::size_t columns)
{
    std::vector<Bytes> heights;
    const double perColumn = static_cast<double>(range.last - range.first) / static_cast<double>(columns);
    const std::vector<UsageCurve::ReservedChange>& changes = study.curve.reservedChanges();
    std::optional<Bytes> bytes = study.curve.reservedAt(range.first);
    std::size_t next = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        const auto end = static_cast<std::int64_t>(
            std::ceil(static_cast<double>(range.first) + perColumn * static_cast<double>(i + 1)));
        Bytes highest = bytes.value_or(0);
        for (; next < changes.size() && changes[next].event < end; ++next)
            if (changes[next].event > range.first) {
                bytes = changes[next].bytes;
                highest = std::max(highest, *bytes);
            }
        if (bytes)
            heights.push_back(highest);
    }
    if (heights.empty())
        return;
    PlotFrame recorded = plot;
    recorded.left
        = plot.right - plot.width() * static_cast<double>(heights.size()) / static_cast<double>(columns);
    FigureLine edge = styledLine(LineKind::Reserved, {});
    appendEdge(edge.points, recorded, heights, 0);
    FigurePolygon area{.points = {{recorded.left, plot.bottom}}, .fill = sheet.palette().reserved};
    area.points.insert(area.points.end(), edge.points.begin(), edge.points.end());
    area.points.push_back({plot.right, plot.bottom});
    sheet.add(std::move(area));
    sheet.add(std::move(edge));
}

/// Pales groups of narrow steps above the lowest peak, and draws a line through the medians.
void drawSpreads(FigureSheet& sheet, const PlotFrame& plot, const StepColumns& shown)
{
    const double each = plot.width() / static_cast<double>(shown.spreads.size());
    for (std::size_t first = 0, last = 0; first < shown.spreads.size(); first = last) {
        const auto isLike = [&](std::size_t x) {
            return shown.spreads[x] == shown.spreads[first]
                && shown.columns[x].bytes == shown.columns[first].bytes;
        };
        while (last < shown.spreads.size() && isLike(last))
            ++last;
        const double top = plot.y(static_cast<double>(shown.columns[first].bytes));
        const double height = plot.y(static_cast<double>(shown.spreads[first].lowest)) - top;
        if (height > 0)
            sheet.add(FigureRect{.x = plot.left + each * static_cast<double>(first),
                .y = top,
                .width = each * static_cast<double>(last - first),
                .height = height,
                .fill = sheet.palette().background,
                .opacity = kPaleShare});
    }
    std::vector<Bytes> medians;
    for (const PeakSpread& spread : shown.spreads)
        medians.push_back(spread.median);
    FigureLine line = styledLine(LineKind::Median, {});
    appendEdge(line.points, plot, medians, 0);
    FigureLine rim = line;
    rim.color = sheet.palette().background;
    rim.width = 3 * line.width;
    sheet.add(std::move(rim));
    sheet.add(std::move(line));
}

/// Draws capacity, failures and the peak. Returns the area of the peak's label in the plot. The label of the
/// first failure is above the plot and its flags. If that failure has the peak's total, and the peak's
/// triangle would cover its line, its label includes that of the peak, and the returned area is empty.
FigureArea drawMarks(
    FigureSheet& sheet, const PlotFrame& plot, const TimelineData& data, double heightOfFlags)
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
    const bool isAtFailure = !data.ooms.empty() && data.atFailure == data.peak.bytes
        && std::abs(plot.x(static_cast<double>(data.ooms.front().event)) - x) < kTriangleWidth;
    const FigureColor ink = isAtFailure ? danger : sheet.palette().text;
    constexpr double half = kTriangleWidth / 2;
    sheet.add(FigurePolygon{
        .points = {{x - half, y - 9}, {x + half, y - 9}, {x, y - 1}}, .fill = ink, .title = {}});
    const FigureArea peakLabel
        = isAtFailure ? FigureArea() : sheet.label(x, y - 8, data.peakLabel, ink, plot);
    if (!data.ooms.empty()) {
        PlotFrame above = plot;
        const double bottom = plot.top - heightOfFlags;
        above.top = bottom - FigureSheet::kLabelRow;
        sheet.label(plot.x(static_cast<double>(data.ooms.front().event)), bottom,
            fmt::format("out of memory, requested {}{}", formatBytes(data.ooms.front().requestedBytes),
                isAtFailure ? " · " + data.peakLabel : ""),
            danger, above);
    }
    return peakLabel;
}

/// Returns an entry for everything drawn. The lines are kept if there is little room.
std::vector<LegendEntry> timelineLegend(const FigurePalette& palette, const StackedGroups& stacked,
    const GroupTotals& totals, const TimelineData& data, Bytes top)
{
    std::vector<LegendEntry> entries = areaLegend(stacked, totals);
    if (data.reservedPeak > 0)
        entries.push_back({.label = "reserved",
            .value = (data.isAtLeast ? "at least " : "up to ") + formatBytes(data.reservedPeak),
            .color = palette.reservedEdge,
            .isLine = true,
            .bytes = data.reservedPeak});
    if (data.capacity && data.capacity->bytes <= top)
        entries.push_back({.label = std::string(limitName(*data.capacity)),
            .value = toText(*data.capacity),
            .color = palette.danger,
            .isLine = true,
            .dashed = true,
            .bytes = data.capacity->bytes});
    if (data.stepsPerGroup > 0)
        entries.push_back({.label = "median peak", .color = palette.text, .isLine = true});
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
    TimelineData data = collectData(study, range, extras.capacity);
    const EventScale scale(study.trace, study.device, AxisKind::Event);
    const auto width = static_cast<int>(
        std::max(1.0, std::floor(options.width - 2 * options.margin() - options.labelRoom())));
    const StepColumns columns = stepColumns(study.curve, study.steps, scale, static_cast<double>(range.first),
        static_cast<double>(range.last), width);
    data.stepsPerGroup = columns.stepsPerGroup;
    const LiveIndex live(study.allocations);
    const StackedGroups stacked = stackFor(study, live, by.value_or(StackedBy::Site), data.peak.event);
    FigureSheet sheet = sheetFor(study, data, stacked, options);
    // The plot is as wide as the sheet allows, whatever the legend contains.
    PlotFrame plot;
    plot.left = sheet.margin() + sheet.labelRoom();
    plot.right = sheet.width() - sheet.margin();
    plot.xBegin = static_cast<double>(range.first);
    plot.xEnd = static_cast<double>(range.last);
    const GroupTotals totals = groupTotals(stacked, live, columns.columns);
    const Bytes top = std::max(axisTop(data), extras.leastTop);
    plot.top = sheet.contentTop();
    if (sheet.height() >= kLowestWithLanes)
        plot.top += drawLanes(sheet, study, range, sheet.contentTop(), plot);
    const std::vector<FlagPlace> flags = placeFlags(flagsAtEvents(extras.flags), plot);
    plot.top += flagsHeight(flags) + (data.ooms.empty() ? 0 : FigureSheet::kLabelRow);
    plot.bottom = sheet.height() - sheet.margin() - sheet.axisRoom();
    const double legendRoom = std::max(plot.height() - sheet.height() / 2, kLeastLegend);
    const std::vector<LegendEntry> legend
        = sheet.fittingLegend(timelineLegend(sheet.palette(), stacked, totals, data, top), legendRoom);
    plot.bottom -= sheet.legendHeight(legend);
    plot.fitBytes(top, data.peak.bytes);
    sheet.byteAxis(plot, fmt::format("{} bytes", inWords(study.allocations.quantity())));
    drawFlagBands(sheet, plot, flags);
    if (data.reservedPeak > 0)
        drawReserved(sheet, plot, study, range, static_cast<std::size_t>(width));
    drawAreas(sheet, plot, stacked, totals, options.tolerance);
    if (columns.stepsPerGroup > 0)
        drawSpreads(sheet, plot, columns);
    drawFlags(sheet, plot, flags);
    drawAreaLabels(sheet, plot, stacked, totals, static_cast<double>(data.peak.event) + 0.5,
        {drawMarks(sheet, plot, data, flagsHeight(flags))});
    if (range.last > 0)
        sheet.countAxis(plot,
            countTicks(plot.xBegin, plot.xEnd, std::max(1, static_cast<int>(plot.width() / 110))), "event");
    else
        sheet.countAxis(plot, {}, "no events; the file shows one moment");
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater

#include "core/report/parts/part_timelines.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/figure/diff_figure.h"
#include "core/figure/series_figure.h"
#include "core/figure/timeline_figure.h"
#include "core/report/figures/compared_figures.h"
#include "core/report/input/note_places.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_text.h"
#include "core/table/log_tables.h"

namespace highwater {

namespace {

/// Height of the figure on page one, which shares the page.
constexpr int kMainHeight = 370;
/// Height of a timeline with the headline as its title.
constexpr int kTitledHeight = 540;
/// Limit in bytes for the live timeline of one run, or for those of two runs together. As text it takes a
/// third more; with pictures, steps and phases a page stays below 2.5 MB.
constexpr std::size_t kLiveRoom = 1'000'000;

/// Returns the range of all events; the moment before the first event if there are no events.
EventRange wholeRange(const DeviceStudy& study)
{
    const std::int64_t events = study.curve.eventCount();
    return events > 0 ? EventRange{0, events} : EventRange{-1, 0};
}

/// Adds the timeline of the run as data if the report is live.
void addLive(
    ReportFigure& figure, const ReportMaterial& material, const RunMaterial& run, const EventScale* scale)
{
    if (!material.request.options.isLive)
        return;
    const LiveTimelineExtras extras{run.study.memoryLimit(),
        eventFlags(material.request.notes, notedDevice(run)), scale,
        material.hasTwoRuns() ? kLiveRoom / 2 : kLiveRoom};
    if (std::optional<LiveTimeline> live = liveTimeline(*run.study.device(), run.study.name(), extras))
        figure.live.push_back(*std::move(live));
}

bool isHatched(const Figure& figure)
{
    return std::ranges::any_of(figure.shapes, [](const FigureShape& shape) {
        const auto* const polygon = std::get_if<FigurePolygon>(&shape);
        return polygon && polygon->hatched;
    });
}

/// Draws the timeline of one run. On page one, the report's verdict above it is its title, and its
/// description does not repeat it.
ReportFigure timelineOf(
    const ReportMaterial& material, const RunMaterial& run, Bytes leastTop, bool isOnPageOne = false)
{
    const DeviceStudy& study = *run.study.device();
    const TimelineExtras extras{
        eventFlags(material.request.notes, notedDevice(run)), run.study.memoryLimit(), leastTop};
    ReportFigure figure = reportFigure(idFor(run, "timeline"), {},
        ReportSheet{.source = run.study.name(),
            .height = isOnPageOne ? kMainHeight : kTitledHeight,
            .headline = isOnPageOne ? std::string() : run.study.diagnosis().sentence,
            .titled = !isOnPageOne},
        [&](const FigureOptions& sheet) {
            return timelineFigure(study, wholeRange(study), sheet, std::nullopt, extras);
        });
    figure.caption = captioned(run,
        fmt::format("Memory in use by call site, {}{}{}", quantityLabel(study),
            isHatched(figure.wide) ? "; hatched: kept from earlier steps" : "",
            extras.flags.empty() ? "" : "; flags: the notes"));
    return figure;
}

ReportFigure overlayFigure(const ReportMaterial& material)
{
    const RunAlignment alignment = material.devices()->runs.align(RunAxis::Step);
    const bool hasFlags = !alignedFlags(
        material.request.notes, notedDevice(*material.before), notedDevice(material.run), alignment)
                               .empty();
    ReportFigure figure = reportFigure(
        "overlay",
        fmt::format("Both totals overlaid ({}), {}{}", axisName(alignment),
            quantityLabel(*material.run.study.device()), hasFlags ? "; flags: the notes" : ""),
        bothNames(material),
        [&](const FigureOptions& sheet) { return drawOverlay(material, alignment, sheet); }, kMainHeight);
    addLive(figure, material, *material.before, &alignment.before);
    addLive(figure, material, material.run, &alignment.after);
    return figure;
}

ReportFigure logPairFigure(const ReportMaterial& material)
{
    return reportFigure(
        "series-pair", "Memory in both logs, overlaid; upright lines: out of memory; dotted: the capacity",
        bothNames(material), [&](const FigureOptions& sheet) { return drawSeriesPair(material, sheet); },
        kMainHeight);
}

/// True if one of the series has a course to draw; a single value is no figure.
bool isCurve(const Trace& log, const std::vector<std::size_t>& series)
{
    return std::ranges::any_of(series, [&](std::size_t i) { return log.counters[i].points() > 1; });
}

/// Adds the table of failures of the first log that has one, with what each rank requested and found free.
void addFailuresOfLogs(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    constexpr std::size_t maxRanks = 16;
    for (const RunLog& log : run.study.logs()) {
        Table table = failureTable(*log.trace);
        if (table.rows.empty())
            continue;
        table.id = idFor(run, "log-failures");
        table.caption = captioned(run, "Failures in the log, first to last");
        // Used and free bytes add up to the capacity; other processes explain more.
        if (std::ranges::find(table.columns, "other_processes", &TableColumn::key) != table.columns.end())
            table = withoutColumns(std::move(table), {"capacity_bytes"});
        cutRows(table, maxRanks, "failures");
        blocks.push_back(std::move(table));
        return;
    }
}

/// Adds the figures of a run's logs that measure memory, without the first `skipped` and at most `most`.
void addPicturesOfLogs(std::vector<ReportBlock>& blocks, const ReportMaterial& material,
    const RunMaterial& run, std::size_t most, std::size_t skipped)
{
    int number = 0;
    std::size_t drawn = 0;
    for (const RunLog& log : run.study.logs()) {
        const std::vector<std::size_t> series = memorySeriesOf(*log.trace);
        ++number;
        if (!isCurve(*log.trace, series) || drawn >= most)
            continue;
        if (skipped > 0) {
            --skipped;
            continue;
        }
        ++drawn;
        const std::vector<NoteFlag> flags = lineFlags(material, run, log.name);
        blocks.push_back(reportFigure(idFor(run, fmt::format("log-{}", number)),
            captioned(run, fmt::format("GPU memory in {}", log.name)), log.name,
            [&](const FigureOptions& sheet) {
                return seriesFigure({*log.trace, series, "GPU memory"}, sheet, flags);
            }));
    }
}

} // namespace

void addMainTimeline(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    const LogDiff* const logs = material.logs();
    if (material.devices()) {
        blocks.push_back(overlayFigure(material));
    } else if (material.run.study.device()) {
        ReportFigure figure = timelineOf(material, material.run, 0, true);
        addLive(figure, material, material.run, nullptr);
        blocks.push_back(std::move(figure));
    } else if (logs && logs->compared && logs->series[*logs->compared].isDrawable()) {
        blocks.push_back(logPairFigure(material));
    } else if (!logs) {
        const std::size_t count = blocks.size();
        addPicturesOfLogs(blocks, material, material.run, 1, 0);
        if (blocks.size() == count)
            addFailuresOfLogs(blocks, material.run);
    }
}

void addTimelines(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    constexpr std::size_t kAllLogs = 1000;
    Bytes top = 0;
    if (material.devices()) {
        // With the same scale, a higher peak looks higher.
        for (const RunMaterial* run : material.runs())
            top = std::max(top,
                timelineTop(*run->study.device(), wholeRange(*run->study.device()), run->study.capacity()));
    }
    for (const RunMaterial* run : material.runs()) {
        if (material.devices())
            blocks.push_back(timelineOf(material, *run, top));
        const bool isFirstLogShown = !material.hasTwoRuns() && !run->study.device();
        addPicturesOfLogs(blocks, material, *run, kAllLogs, isFirstLogShown ? 1 : 0);
    }
}

} // namespace highwater

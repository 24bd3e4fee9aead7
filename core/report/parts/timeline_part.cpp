#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/figure/diff_figure.h"
#include "core/figure/series_figure.h"
#include "core/figure/timeline_figure.h"
#include "core/report/parts/note_places.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

/// A moment alone where there are no events.
EventRange wholeRange(const DeviceStudy& study)
{
    const std::int64_t events = study.curve.eventCount();
    return events > 0 ? EventRange{0, events} : EventRange{-1, 0};
}

ReportFigure timelineOf(const ReportMaterial& material, const RunMaterial& run, Bytes leastTop)
{
    const DeviceStudy& study = *run.study.device();
    const TimelineExtras extras{
        eventFlags(material.request.notes, notedDevice(run)), run.study.capacity(), leastTop};
    return reportFigure(idFor(run, "timeline"),
        captioned(run,
            fmt::format("What was alive over the events, {}; dashed: reserved and capacity{}",
                quantityWords(study), extras.flags.empty() ? "" : "; flags: the notes")),
        run.study.name(), [&](const FigureOptions& sheet) {
            return timelineFigure(study, wholeRange(study), sheet, std::nullopt, extras);
        });
}

ReportFigure overlay(const ReportMaterial& material)
{
    const DeviceStudy& before = *material.before->study.device();
    const DeviceStudy& after = *material.run.study.device();
    const RunAlignment alignment = material.devices()->runs.align(RunAxis::Step);
    const std::vector<NoteFlag> flags = alignedFlags(
        material.request.notes, notedDevice(*material.before), notedDevice(material.run), alignment);
    return reportFigure("overlay",
        fmt::format("Both totals over each other ({}), {}", axisName(alignment), quantityWords(after)),
        bothNames(material), [&](const FigureOptions& sheet) {
            return diffFigure({before.curve, material.before->study.name()},
                {after.curve, material.run.study.name()}, alignment, after.allocations.quantity(),
                alignment.begin(), alignment.end(), sheet, flags);
        });
}

/// The logs of a run that measure memory, each a picture.
void addLogs(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    int number = 0;
    for (const RunLog& log : run.study.logs()) {
        const std::vector<std::size_t> series = memorySeriesOf(*log.trace);
        ++number;
        if (series.empty())
            continue;
        const std::vector<NoteFlag> flags = lineFlags(material, run, log.name);
        blocks.push_back(reportFigure(idFor(run, fmt::format("log-{}", number)),
            captioned(run, fmt::format("The device's memory as {} tells it", log.name)), log.name,
            [&](const FigureOptions& sheet) {
                return seriesFigure({*log.trace, series, "memory of the device"}, sheet, flags);
            }));
    }
}

} // namespace

std::vector<ReportBlock> timelinePart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    Bytes top = 0;
    if (material.devices()) {
        blocks.push_back(overlay(material));
        // In one scale what is higher looks higher.
        for (const RunMaterial* run : material.runs())
            top = std::max(top,
                timelineTop(*run->study.device(), wholeRange(*run->study.device()), run->study.capacity()));
    }
    for (const RunMaterial* run : material.runs()) {
        if (run->study.device())
            blocks.push_back(timelineOf(material, *run, top));
        addLogs(blocks, material, *run);
    }
    return blocks;
}

} // namespace highwater

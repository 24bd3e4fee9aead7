#include "app/window/start/export_figure.h"

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/diff/matching/run_alignment.h"
#include "core/base/text_format.h"
#include "core/figure/composition_figure.h"
#include "core/figure/diff_figure.h"
#include "core/figure/segments/segments_figure.h"
#include "core/figure/series_figure.h"
#include "core/figure/series_pair_figure.h"
#include "core/figure/step_pairs_figure.h"
#include "core/figure/steps_figure.h"
#include "core/figure/timeline_figure.h"
#include "core/figure/waterfall_figure.h"
#include "core/report/parts/note_places.h"

namespace highwater::gui {

namespace {

Figure overlay(const ReportMaterial& material, const FigureOptions& options)
{
    const DeviceStudy& before = *material.before->study.device();
    const DeviceStudy& after = *material.run.study.device();
    const RunAlignment alignment = material.devices()->runs.align(RunAxis::Step);
    return diffFigure({before.curve, runWords(*material.before)}, {after.curve, runWords(material.run)},
        alignment, after.allocations.quantity(), alignment.begin(), alignment.end(), options,
        alignedFlags(
            material.request.notes, notedDevice(*material.before), notedDevice(material.run), alignment));
}

Figure stepPairs(const ReportMaterial& material, const FigureOptions& options)
{
    return stepPairsFigure(
        {material.before->study.device()->steps, material.run.study.device()->steps,
            material.devices()->runs.steps(), material.run.study.device()->allocations.quantity()},
        options,
        stepPairFlags(material.request.notes, notedDevice(*material.before), notedDevice(material.run),
            material.devices()->runs.steps()));
}

std::string peakOf(const RunMaterial& run)
{
    const std::int64_t event = run.study.device()->curve.peak().event;
    return fmt::format("{} {}", runWords(run), formatMoment(event));
}

Result<Figure> ofTwo(const ReportMaterial& material, const std::string& kind, const FigureOptions& options)
{
    if (material.logs()) {
        const std::optional<std::size_t> series = material.logs()->compared;
        if (kind != "diff" || !series || !material.logs()->series[*series].isDrawable())
            return fail(ErrorCode::BadRequest,
                kind == "diff" ? "the two logs have no measure of device memory in common"
                               : "of two logs there is the figure diff only");
        return seriesPairFigure(
            {material.before->trace(), material.run.trace(), material.logs()->series[*series],
                runWords(*material.before), runWords(material.run)},
            options);
    }
    if (kind == "diff")
        return overlay(material, options);
    if (kind == "steps")
        return stepPairs(material, options);
    return waterfallFigure(material.devices()->bySite.diff,
        {peakOf(*material.before), peakOf(material.run), "call site"}, options);
}

Result<Figure> ofLog(const RunMaterial& run, const std::string& kind, const FigureOptions& options,
    const ReportMaterial& material)
{
    const std::vector<std::size_t> series = memorySeriesOf(run.trace());
    if (kind != "timeline" || series.empty())
        return fail(ErrorCode::BadRequest,
            kind == "timeline" ? "the log measures no memory: there is nothing to draw"
                               : "of a log there is the figure timeline only");
    return seriesFigure(
        {run.trace(), series, "memory of the device"}, options, lineFlags(material, run, run.study.name()));
}

Figure ofOne(const ReportMaterial& material, const std::string& kind, const FigureOptions& options)
{
    const RunMaterial& run = material.run;
    const DeviceStudy& study = *run.study.device();
    if (kind == "steps")
        return stepsFigure(study, options, stepFlags(material.request.notes, notedDevice(run)));
    if (kind == "composition")
        return compositionFigure(study, study.curve.peak().event, false, options);
    if (kind == "segments")
        return segmentsFigure(study, firstMomentOf(*run.study.figures()), options);
    const std::int64_t events = study.curve.eventCount();
    return timelineFigure(study, events > 0 ? EventRange{0, events} : EventRange{-1, 0}, options, {},
        {eventFlags(material.request.notes, notedDevice(run)), run.study.capacity(), 0});
}

} // namespace

const std::vector<std::string>& figureKinds()
{
    static const std::vector<std::string> kinds{
        "timeline", "steps", "composition", "segments", "diff", "waterfall"};
    return kinds;
}

Result<Figure> figureOf(const ReportMaterial& material, const std::string& kind, FigureOptions options)
{
    const bool needsTwo = kind == "diff" || kind == "waterfall";
    if (needsTwo && !material.hasTwoRuns())
        return fail(ErrorCode::BadRequest, "--figure " + kind + " takes two runs: --compare BEFORE AFTER");
    const bool isOfTwo = needsTwo || (kind == "steps" && material.hasTwoRuns());
    options.source = isOfTwo ? fmt::format("{} ↔ {}", runWords(*material.before), runWords(material.run))
                             : material.run.study.name();
    if (isOfTwo)
        return ofTwo(material, kind, options);
    if (!material.run.study.device())
        return ofLog(material.run, kind, options, material);
    return ofOne(material, kind, options);
}

} // namespace highwater::gui

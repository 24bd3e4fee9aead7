#include "core/report/figures/figure_kinds.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"
#include "core/figure/budget_figure.h"
#include "core/figure/composition_figure.h"
#include "core/figure/segments/segments_figure.h"
#include "core/figure/series_figure.h"
#include "core/figure/steps_figure.h"
#include "core/figure/timeline_figure.h"
#include "core/figure/waterfall_figure.h"
#include "core/report/figures/compared_figures.h"
#include "core/report/input/note_places.h"

namespace highwater {

namespace {

Result<Figure> timeline(const ReportMaterial& material, const FigureRequest& request)
{
    const DeviceStudy& study = *material.run.study.device();
    const std::int64_t events = study.curve.eventCount();
    const EventRange whole = events > 0 ? EventRange{0, events} : EventRange{-1, 0};
    FigureOptions sheet = request.sheet;
    sheet.headline = sanitizedText(material.run.study.diagnosis().sentence);
    return timelineFigure(study, request.range.value_or(whole), sheet, stackedByFromText(request.group),
        {.flags = eventFlags(material.request.notes, notedDevice(material.run)),
            .capacity = material.run.study.memoryLimit()});
}

/// Draws the series of device memory over steps or time.
Result<Figure> timelineOfLog(const ReportMaterial& material, const FigureRequest& request)
{
    const RunMaterial& run = material.run;
    const std::vector<std::size_t> series = memorySeriesOf(run.trace());
    if (series.empty())
        return fail(
            ErrorCode::BadRequest, "has no series of GPU memory (highwater info --all lists its series)");
    return seriesFigure(
        {run.trace(), series, "GPU memory"}, request.sheet, lineFlags(material, run, run.study.name()));
}

Result<Figure> steps(const ReportMaterial& material, const FigureRequest& request)
{
    return stepsFigure(*material.run.study.device(), request.sheet,
        stepFlags(material.request.notes, notedDevice(material.run)));
}

Result<Figure> stepsOfTwo(const ReportMaterial& material, const FigureRequest& request)
{
    return drawStepPairs(material, request.sheet);
}

Result<Figure> composition(const ReportMaterial& material, const FigureRequest& request)
{
    const DeviceStudy& study = *material.run.study.device();
    return compositionFigure(study, request.event.value_or(study.curve.peak().event),
        request.group == toText(GroupKey::Category), request.sheet);
}

Result<Figure> segments(const ReportMaterial& material, const FigureRequest& request)
{
    const RunStudy& run = material.run.study;
    return segmentsFigure(*run.device(), request.event.value_or(initialEvent(*run.figures())), request.sheet);
}

Result<Figure> budget(const ReportMaterial& material, const FigureRequest& request)
{
    const RunStudy& run = material.run.study;
    if (!run.budget())
        return fail(ErrorCode::BadRequest,
            run.budgetTrouble().empty() ? "has no configuration that describes the model"
                                        : run.budgetTrouble());
    FigureOptions sheet = request.sheet;
    if (!request.hasSize)
        sheet.height = std::min(budgetFigureHeight(*run.budget(), sheet), kLargestFigure);
    return budgetFigure(*run.budget(), sheet);
}

Result<Figure> diff(const ReportMaterial& material, const FigureRequest& request)
{
    return drawOverlay(material, material.devices()->runs.align(request.axis), request.sheet);
}

Result<Figure> diffOfLogs(const ReportMaterial& material, const FigureRequest& request)
{
    const LogDiff& logs = *material.logs();
    if (!logs.compared || !logs.series[*logs.compared].isDrawable())
        return fail(ErrorCode::BadRequest, "and the log before have no series of GPU memory in common");
    return drawSeriesPair(material, request.sheet);
}

std::string peakText(const RunMaterial& run)
{
    return fmt::format("{} {}", run.study.name(), formatMoment(run.study.device()->curve.peak().event));
}

Result<Figure> waterfall(const ReportMaterial& material, const FigureRequest& request)
{
    const GroupKey key = groupKeyFromText(request.group).value_or(GroupKey::Site);
    const WaterfallTexts texts{peakText(*material.before), peakText(material.run),
        key == GroupKey::Site ? "call site" : std::string(toText(key))};
    const DeviceComparison& devices = *material.devices();
    if (key == GroupKey::Site)
        return waterfallFigure(devices.bySite.diff, texts, request.sheet);
    return waterfallFigure(devices.runs.diffAtPeaks(key).diff, texts, request.sheet);
}

constexpr std::array<std::string_view, 5> kBands{"category", "site", "size", "stream", "pool"};
constexpr std::array<std::string_view, 2> kParts{"site", "category"};
constexpr std::array<std::string_view, 6> kBars{"stack", "site", "function", "file", "category", "size"};

constexpr FigureKind kKinds[] = {
    {.name = "timeline",
        .sentence = "bytes in use over events",
        .drawRun = timeline,
        .drawLog = timelineOfLog,
        .options = FigureKind::Range | FigureKind::Notes,
        .groups = kBands,
        .defaultGroupText = "site"},
    {.name = "steps",
        .sentence = "each step's peak, of two files side by side",
        .drawRun = steps,
        .drawTwoRuns = stepsOfTwo,
        .options = FigureKind::Notes},
    {.name = "composition",
        .sentence = "what was in use at a moment",
        .drawRun = composition,
        .options = FigureKind::Moment,
        .groups = kParts,
        .defaultGroupText = "site"},
    {.name = "segments",
        .sentence = "the allocator's segments by address",
        .drawRun = segments,
        .options = FigureKind::Moment},
    {.name = "budget",
        .sentence = "expected and observed memory, with --config",
        .drawRun = budget,
        .options = FigureKind::Configuration},
    {.name = "diff",
        .sentence = "FILE AFTER, both totals overlaid",
        .drawTwoRuns = diff,
        .drawTwoLogs = diffOfLogs,
        .options = FigureKind::Notes | FigureKind::Axis},
    {.name = "waterfall",
        .sentence = "FILE AFTER, from one peak to the other",
        .drawTwoRuns = waterfall,
        .groups = kBars,
        .defaultGroupText = "site"},
};

/// Returns "diff" if that is the only kind with this drawing function, else a list of such kinds.
std::string kindsWith(FigureDrawer FigureKind::*drawer)
{
    std::vector<std::string_view> names;
    for (const FigureKind& kind : kKinds)
        if (kind.*drawer)
            names.push_back(kind.name);
    return fmt::format("{}", fmt::join(names, " or "));
}

/// Returns null if the kind cannot draw such runs.
FigureDrawer drawerOf(const FigureKind& kind, bool isOfTwo, bool isOfLogs)
{
    if (isOfTwo)
        return isOfLogs ? kind.drawTwoLogs : kind.drawTwoRuns;
    return isOfLogs ? kind.drawLog : kind.drawRun;
}

} // namespace

std::span<const FigureKind> figureKinds()
{
    return kKinds;
}

const FigureKind* figureKindNamed(std::string_view name)
{
    const FigureKind* const kind = std::ranges::find(kKinds, name, &FigureKind::name);
    return kind == std::end(kKinds) ? nullptr : kind;
}

Result<Figure> drawFigure(
    const ReportMaterial& material, const FigureKind& kind, const FigureRequest& request)
{
    const bool isOfTwo = material.hasTwoRuns() && kind.drawTwoRuns;
    const bool isOfLogs = isOfTwo ? material.logs() != nullptr : !material.run.study.device();
    const FigureDrawer draw = drawerOf(kind, isOfTwo, isOfLogs);
    if (isOfLogs && (!isLog(material.run.trace()) || isEmptyLog(material.run.trace())))
        return fail(ErrorCode::BadRequest, "no device has events or segments");
    if (!draw && isOfLogs && isOfTwo)
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "is a log; two logs can only be drawn as --kind {}", kindsWith(&FigureKind::drawTwoLogs)));
    if (!draw && isOfLogs)
        return fail(ErrorCode::BadRequest,
            fmt::format("is a log and cannot be drawn as {}; use --kind {}", kind.name,
                kindsWith(&FigureKind::drawLog)));
    if (!draw)
        return fail(ErrorCode::BadRequest, fmt::format("is one run; the figure {} needs two", kind.name));
    FigureRequest titledRequest = request;
    titledRequest.sheet.source = sanitizedText(isOfTwo ? bothNames(material) : material.run.study.name());
    return draw(material, titledRequest);
}

} // namespace highwater

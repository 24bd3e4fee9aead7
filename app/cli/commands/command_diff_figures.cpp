#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include "app/cli/commands/diff_job.h"
#include "app/cli/commands/figure_output.h"
#include "app/cli/output/diff_output.h"
#include "core/analysis/diff/matching/run_alignment.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/figure/diff_figure.h"
#include "core/figure/series_pair_figure.h"
#include "core/figure/step_pairs_figure.h"
#include "core/figure/waterfall_figure.h"
#include "core/report/parts/note_places.h"

namespace highwater::cli {

namespace {

/// Without folders, as it is shown.
std::string shownName(const std::string& path)
{
    return sanitizedText(fileName(path));
}

NotedDevice noted(const DiffedRun& run, NoteRun role)
{
    return {run.study, std::string(fileName(run.path)), role};
}

Figure overlay(const DiffReport& report, RunAxis axis, const FigureOptions& sheet, const Notes& notes)
{
    const DeviceStudy& before = report.before.study;
    const DeviceStudy& after = report.after.study;
    const RunAlignment alignment = report.runs.align(axis);
    return diffFigure({before.curve, shownName(report.before.path)},
        {after.curve, shownName(report.after.path)}, alignment, report.found.diff.quantity, alignment.begin(),
        alignment.end(), sheet,
        alignedFlags(
            notes, noted(report.before, NoteRun::Before), noted(report.after, NoteRun::After), alignment));
}

Figure stepsOf(const DiffReport& report, FigureOptions sheet, const Notes& notes)
{
    sheet.source = fmt::format("{} ↔ {}", shownName(report.before.path), shownName(report.after.path));
    return stepPairsFigure({report.before.study.steps, report.after.study.steps, report.runs.steps(),
                               report.after.study.allocations.quantity()},
        sheet,
        stepPairFlags(notes, noted(report.before, NoteRun::Before), noted(report.after, NoteRun::After),
            report.runs.steps()));
}

std::string momentText(const DiffedRun& run)
{
    return fmt::format("{} {}", shownName(run.path), formatMoment(run.event));
}

/// Of two logs there is one picture.
int drawLogs(const LogDiffReport& report, const FigureCommandOptions& options, const FigureOptions& sheet)
{
    const bool canDraw = options.kind == "diff" && report.diff.compared
        && report.diff.series[*report.diff.compared].isDrawable();
    if (canDraw)
        return writeFigure(
            seriesPairFigure({report.before, report.after, report.diff.series[*report.diff.compared],
                                 shownName(report.beforePath), shownName(report.afterPath)},
                sheet),
            options);
    refuse(report.afterPath,
        options.kind == "diff" ? "and the log before have no measure of device memory in common"
                               : "is a log: of two logs there is the figure diff only");
}

} // namespace

int runFigureOfTwo(const FigureCommandOptions& options, const FigureOptions& sheet, const Notes& notes)
{
    DiffOptions diff;
    diff.common = options.common;
    diff.beforeDevice = options.device;
    diff.afterDevice = options.device;
    diff.group = options.group.empty() ? "site" : options.group;
    diff.rules = options.rules;
    const auto draw = [&](const DiffReport& report) {
        if (options.kind == "diff")
            return writeFigure(
                overlay(report, runAxisFromText(options.align).value_or(RunAxis::Step), sheet, notes),
                options);
        if (options.kind == "steps")
            return writeFigure(stepsOf(report, sheet, notes), options);
        const WaterfallTexts texts{momentText(report.before), momentText(report.after), diff.group};
        return writeFigure(waterfallFigure(report.found.diff, texts, sheet), options);
    };
    return withDiff(
        diff, draw, [&](const LogDiffReport& report) { return drawLogs(report, options, sheet); });
}

} // namespace highwater::cli

#include "app/cli/commands.h"

#include <fmt/format.h>

#include "app/cli/diff_output.h"
#include "app/cli/exit_code.h"
#include "app/cli/figure_output.h"
#include "core/base/text_format.h"
#include "core/figure/step_pairs_figure.h"
#include "core/figure/waterfall_figure.h"

namespace highwater::cli {

namespace {

std::string nameOf(const DiffedRun& run)
{
    return sanitizedText(run.path.substr(run.path.find_last_of('/') + 1));
}

std::string momentText(const DiffedRun& run)
{
    const std::string event
        = run.event < 0 ? std::string("before the first event") : "after event " + formatCount(run.event);
    return fmt::format("{} {}", nameOf(run), event);
}

Figure waterfallOf(const DiffReport& report, const FigureOptions& sheet)
{
    const WaterfallTexts texts{momentText(report.before), momentText(report.after), report.group};
    return waterfallFigure(report.diff, texts, sheet);
}

Figure stepsOf(const DiffReport& report, FigureOptions sheet)
{
    sheet.source = fmt::format("{} ↔ {}", nameOf(report.before), nameOf(report.after));
    return stepPairsFigure({report.before.study.steps, report.after.study.steps, report.steps,
                               report.after.study.allocations.quantity()},
        sheet);
}

} // namespace

int runDiffFigure(const FigureCommandOptions& options, const FigureOptions& sheet)
{
    DiffOptions diff;
    diff.common = options.common;
    diff.beforeDevice = options.device;
    diff.afterDevice = options.device;
    diff.group = options.group.empty() ? "site" : options.group;
    diff.rules = options.rules;
    return withDiff(diff, [&](const DiffReport& report) {
        return writeFigure(
            options.kind == "steps" ? stepsOf(report, sheet) : waterfallOf(report, sheet), options);
    });
}

} // namespace highwater::cli

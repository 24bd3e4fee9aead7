#include "app/cli/commands.h"

#include <fmt/format.h>

#include "app/cli/diff_output.h"
#include "app/cli/exit_code.h"
#include "app/cli/figure_output.h"
#include "core/base/text_format.h"
#include "core/figure/waterfall_figure.h"

namespace highwater::cli {

namespace {

std::string momentText(const DiffedRun& run)
{
    const std::string event
        = run.event < 0 ? std::string("before the first event") : "after event " + formatCount(run.event);
    return fmt::format("{} {}", sanitizedText(run.path.substr(run.path.find_last_of('/') + 1)), event);
}

} // namespace

int runWaterfall(const FigureCommandOptions& options, const FigureOptions& sheet)
{
    DiffOptions diff;
    diff.common = options.common;
    diff.beforeDevice = options.device;
    diff.afterDevice = options.device;
    diff.group = options.group.empty() ? "site" : options.group;
    diff.rules = options.rules;
    return withDiff(diff, [&](const DiffReport& report) {
        const WaterfallTexts texts{momentText(report.before), momentText(report.after), diff.group};
        return writeFigure(waterfallFigure(report.found.diff, texts, sheet), options);
    });
}

} // namespace highwater::cli

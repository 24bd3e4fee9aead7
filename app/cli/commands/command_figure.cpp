#include "app/cli/commands/commands.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "app/cli/commands/figure_output.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/input/arguments.h"
#include "app/loading/files/notes_file.h"
#include "app/loading/run/run_parts.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/figure/budget_figure.h"
#include "core/figure/composition_figure.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/figure/segments/segments_figure.h"
#include "core/figure/series_figure.h"
#include "core/figure/steps_figure.h"
#include "core/figure/timeline_figure.h"
#include "core/report/parts/note_places.h"

namespace highwater::cli {

namespace {

FigureOptions figureOptions(const FigureCommandOptions& options)
{
    FigureOptions sheet;
    sheet.dark = options.dark;
    const std::string& path = options.common.files.front();
    sheet.source = path == "-" ? "standard input" : sanitizedText(fileName(path));
    setSize(sheet, "figure", options.size.empty() ? "1200x675" : options.size);
    return sheet;
}

bool isOfTwo(const FigureCommandOptions& options)
{
    return options.kind == "waterfall" || options.kind == "diff";
}

/// Options that the kind of figure would silently pass over.
void checkFigureOptions(const FigureCommandOptions& options)
{
    const bool hasMoment = options.kind == "composition" || options.kind == "segments";
    if (!options.range.empty() && options.kind != "timeline")
        refuse("figure", "--range goes with --kind timeline");
    if (options.at && !hasMoment)
        refuse("figure", "--at goes with --kind composition and segments");
    const bool isWaterfall = options.kind == "waterfall";
    const std::size_t files = options.common.files.size();
    const bool takesTwo = isOfTwo(options) || options.kind == "steps";
    if (isOfTwo(options) && files != 2)
        refuse("figure", fmt::format("--kind {} takes two files: BEFORE and AFTER", options.kind));
    if (files != 1 && (files != 2 || !takesTwo))
        refuse(
            "figure", takesTwo ? "--kind steps takes one file, or two: BEFORE and AFTER" : "takes one file");
    const bool hasFlags = options.kind == "timeline" || options.kind == "steps" || options.kind == "diff";
    if (!options.notes.empty() && !hasFlags)
        refuse("figure", "--notes goes with --kind timeline, steps and diff");
    if (options.kind == "budget" && options.config.empty())
        refuse(
            "figure", "--kind budget takes --config RUN, which describes the run (highwater budget --help)");
    if (options.kind != "budget" && !options.config.empty())
        refuse("figure", "--config goes with --kind budget");
    if (!options.align.empty() && options.kind != "diff")
        refuse("figure", "--align goes with --kind diff");
    if (options.group.empty() || isWaterfall
        || (options.kind == "timeline" && stackedByFromText(options.group)))
        return;
    if (options.kind != "composition" || (options.group != "site" && options.group != "category"))
        refuse("figure", "--group goes with --kind timeline, and as site or category with composition");
}

/// As high as its lines need, where no size is asked for.
Figure drawBudget(const RunStudy& run, const FigureCommandOptions& options, FigureOptions sheet)
{
    if (!run.budget())
        refuse(options.config,
            run.budgetTrouble().empty() ? "does not describe the run's model" : run.budgetTrouble());
    if (options.size.empty())
        sheet.height = std::min(budgetFigureHeight(*run.budget(), sheet), kLargestFigure);
    return budgetFigure(*run.budget(), sheet);
}

Figure draw(
    const RunStudy& run, const FigureCommandOptions& options, const FigureOptions& sheet, const Notes& notes)
{
    const DeviceStudy& study = *run.device();
    const std::string& path = options.common.files.front();
    const NotedDevice noted{study, std::string(fileName(path))};
    if (options.kind == "budget")
        return drawBudget(run, options, sheet);
    if (options.kind == "steps")
        return stepsFigure(study, sheet, stepFlags(notes, noted));
    const std::int64_t events = study.curve.eventCount();
    if (options.kind == "timeline") {
        const EventRange range = need(path, parseEventRange(options.range, events));
        return timelineFigure(study, range, sheet, stackedByFromText(options.group),
            {.flags = eventFlags(notes, noted), .capacity = run.capacity()});
    }
    const std::int64_t usual
        = options.kind == "segments" ? firstMomentOf(*run.figures()) : study.curve.peak().event;
    const std::int64_t event = need(path, checkedEvent(options.at.value_or(usual), events));
    if (options.kind == "segments")
        return segmentsFigure(study, event, sheet);
    return compositionFigure(study, event, options.group == "category", sheet);
}

/// Of a log: its series of device memory over steps or time.
Figure drawLog(const std::string& path, const Trace& log, const FigureCommandOptions& options,
    const FigureOptions& sheet)
{
    if (options.kind != "timeline")
        refuse(path,
            fmt::format(
                "is a log, of which there is no figure {}: --kind timeline draws its memory", options.kind));
    if (!options.range.empty() || !options.group.empty() || !options.notes.empty() || options.device)
        refuse(path, "is a log: --range, --group, --notes and --device go with snapshots and traces");
    const std::vector<std::size_t> series = memorySeriesOf(log);
    if (series.empty())
        refuse(path, "has no series of device memory (highwater info --all lists what it has)");
    return seriesFigure({log, series, "memory of the device"}, sheet);
}

} // namespace

void setSize(FigureOptions& sheet, const std::string& command, const std::string& size)
{
    const char* const end = size.data() + size.size();
    const auto [x, error] = std::from_chars(size.data(), end, sheet.width);
    const bool hasHeight = error == std::errc() && x != end && *x == 'x';
    const auto [rest, heightError] = std::from_chars(hasHeight ? x + 1 : end, end, sheet.height);
    const auto fits = [](int pixels) { return pixels >= kSmallestFigure && pixels <= kLargestFigure; };
    if (!hasHeight || heightError != std::errc() || rest != end || !fits(sheet.width) || !fits(sheet.height))
        refuse(command,
            fmt::format("--size takes a width and a height of {} to {} pixels, as in 1200x675",
                kSmallestFigure, formatCount(kLargestFigure)));
}

Notes notesFrom(const FigureCommandOptions& options)
{
    if (options.notes.empty())
        return {};
    ReadNotes read = needOption(options.notes, loadNotes(options.notes));
    for (const std::string& warning : read.warnings)
        if (!options.common.quiet)
            printErr("highwater: {}: {}\n", sanitizedText(options.notes), sanitizedText(warning));
    return std::move(read.notes);
}

int writeFigure(const Figure& figure, const FigureCommandOptions& options)
{
    std::vector<std::string> inputs = options.common.files;
    inputs.insert(inputs.end(), {options.notes, options.rules, options.common.logPatterns});
    OutputFile out = OutputFile::need(options.out, options.force, inputs);
    out.write(toSvg(figure));
    need(options.out, out.commit());
    return Done;
}

int runFigure(const FigureCommandOptions& options)
{
    const std::string& path = options.common.files.front();
    checkFigureOptions(options);
    const FigureOptions ofTwo = figureOptions(options);
    const Notes notes = notesFrom(options);
    if (options.common.files.size() == 2)
        return runFigureOfTwo(options, ofTwo, notes);
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    const LoadedInput input = needInput(path, options.common);
    FigureCommandOptions own = options; // of a folder the file that was chosen
    own.common.files = {input.path};
    const FigureOptions sheet = figureOptions(own);
    if (isLog(*input.imported->trace) && !isEmptyLog(*input.imported->trace))
        return worse(
            writeFigure(drawLog(input.path, *input.imported->trace, own, sheet), own), exitCodeOf(input));
    RunParts parts
        = need(input.path, partsOf(input.path, *input.imported, {options.device, std::nullopt, rules, {}}));
    if (!options.config.empty())
        parts.shape = need(options.config, loadRunShape(options.config));
    const Figure figure = draw(RunStudy(std::move(parts)), own, sheet, notes);
    return worse(writeFigure(figure, own), exitCodeOf(input));
}

} // namespace highwater::cli

#include "app/cli/commands/commands.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands/figure_output.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/run_input.h"
#include "app/loading/files/notes_file.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/report/figures/figure_kinds.h"

namespace highwater::cli {

namespace {

/// Returns the names of the kinds for which `isMet` is true: "timeline, steps, diff".
template <typename Condition>
std::string kindNames(const Condition& isMet)
{
    std::vector<std::string_view> names;
    for (const FigureKind& kind : figureKinds())
        if (isMet(kind))
            names.push_back(kind.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Refuses an option that is given but that the kind does not take.
void refuseUnlessTaken(bool isGiven, const FigureKind& kind, FigureKind::Option option, const char* name)
{
    if (isGiven && !kind.takes(option))
        refuse("figure", fmt::format("{} needs --kind {}", name, kindNames([&](const FigureKind& other) {
            return other.takes(option);
        })));
}

/// Refuses a grouping that the kind does not have.
void checkGroup(const FigureKind& kind, const std::string& group)
{
    if (group.empty() || std::ranges::find(kind.groups, group) != kind.groups.end())
        return;
    refuse("figure",
        kind.groups.empty()
            ? fmt::format("--group needs --kind {}",
                kindNames([](const FigureKind& other) { return !other.groups.empty(); }))
            : fmt::format("--kind {} takes --group {}", kind.name, fmt::join(kind.groups, ", ")));
}

/// Returns the size and the theme of the figure; ends the command if no figure can have that size.
FigureOptions sizeAndTheme(const FigureCommandOptions& options)
{
    FigureOptions sheet;
    sheet.dark = options.dark;
    setSize(sheet, "figure", options.size.empty() ? "1200x675" : options.size);
    return sheet;
}

/// Refuses options and files that the kind of figure would silently ignore.
void checkFigureOptions(const FigureKind& kind, const FigureCommandOptions& options)
{
    const std::size_t files = options.common.files.size();
    if (!kind.drawRun && files != 2)
        refuse("figure", fmt::format("--kind {} takes two files: BEFORE and AFTER", kind.name));
    if (files != 1 && (files != 2 || !kind.drawTwoRuns))
        refuse("figure",
            kind.drawTwoRuns ? fmt::format("--kind {} takes one file, or two: BEFORE and AFTER", kind.name)
                             : fmt::format("--kind {} takes one file", kind.name));
    refuseUnlessTaken(!options.range.empty(), kind, FigureKind::Range, "--range");
    refuseUnlessTaken(options.at.has_value(), kind, FigureKind::Moment, "--at");
    refuseUnlessTaken(!options.notes.empty(), kind, FigureKind::Notes, "--notes");
    refuseUnlessTaken(!options.align.empty(), kind, FigureKind::Axis, "--align");
    refuseUnlessTaken(!options.config.empty(), kind, FigureKind::Configuration, "--config");
    if (kind.takes(FigureKind::Configuration) && options.config.empty())
        refuse("figure",
            fmt::format(
                "--kind {} needs --config RUN, the configuration of the run (see highwater help budget)",
                kind.name));
    checkGroup(kind, options.group);
}

/// Reads the notes, if there are any. Prints warnings about notes that are left out.
void addNotes(ReportJob& job, const FigureCommandOptions& options)
{
    if (options.notes.empty())
        return;
    ParsedNotes read = needOption(options.notes, loadNotes(options.notes));
    for (const std::string& warning : read.warnings)
        if (!options.common.quiet)
            printErr("highwater: {}: {}\n", sanitizedText(options.notes), sanitizedText(warning));
    job.notes = std::move(read.notes);
}

ReportJob figureJob(const FigureCommandOptions& options)
{
    ReportJob job;
    job.run.paths = {options.common.files.back()};
    if (options.common.files.size() > 1)
        job.before.paths = {options.common.files.front()};
    job.run.device = job.before.device = options.device;
    job.run.rank = job.before.rank = options.common.rank;
    job.run.configuration = options.config;
    job.load.findings = false;
    job.load.rules = rulesFrom(options.rules);
    if (!options.config.empty())
        need(options.config, loadRunShape(options.config)); // errors are reported before a large file is read
    addNotes(job, options);
    return job;
}

/// Refuses options that apply only to recordings of allocations, not to logs.
void checkOptionsOfLog(const FigureCommandOptions& options, const std::string& path)
{
    if (!options.range.empty() || !options.group.empty() || options.device)
        refuse(path, "is a log; --range, --group and --device are for snapshots and traces");
}

/// Returns what to draw. A range and a moment are only for recordings; ends the command if the run lacks
/// them.
FigureRequest requestFrom(const FigureCommandOptions& options, const FigureOptions& sheet,
    const RunStudy& run, const std::string& path)
{
    FigureRequest request;
    request.sheet = sheet;
    request.hasSize = !options.size.empty();
    request.group = options.group;
    request.axis = runAxisFromText(options.align).value_or(RunAxis::Step);
    if (!run.device())
        return request;
    const std::int64_t events = run.device()->curve.eventCount();
    if (!options.range.empty())
        request.range = need(path, parseEventRange(options.range, events));
    if (options.at)
        request.event = need(path, eventOfMoment(*options.at, run.device()->trace, run.device()->device));
    return request;
}

/// Writes the figure, but never over a file from which it was made.
void writeSvg(const Figure& figure, const FigureCommandOptions& options, const Runs& runs)
{
    std::vector<std::string> inputs{options.notes, options.rules, options.config, options.common.logPatterns};
    for (const Run* const run : runs.all())
        for (const ReportSource& source : run->sources)
            inputs.push_back(source.path);
    OutputFile out = OutputFile::need(options.out, options.force, inputs);
    out.write(toSvg(figure));
    need(options.out, out.commit());
}

} // namespace

int runFigure(const FigureCommandOptions& options)
{
    const FigureKind& kind = *figureKindNamed(options.kind);
    checkFigureOptions(kind, options);
    const FigureOptions sheet = sizeAndTheme(options); // refuses a size before a file is read
    ReportJob job = figureJob(options);
    const Runs runs = needRuns(options.common, job, options.common.files.back());
    const std::string& path = runs.run.sources.front().path;
    const RunStudy& run = *runs.run.study;
    if (!run.device())
        checkOptionsOfLog(options, path);
    const ReportRequest request = reportRequest(job, runs);
    const ReportMaterial material = need("figure", reportMaterial(request));
    const Figure figure = need(path, drawFigure(material, kind, requestFrom(options, sheet, run, path)));
    writeSvg(figure, options, runs);
    return exitCodeOf(runs);
}

} // namespace highwater::cli

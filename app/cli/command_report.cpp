#include "app/cli/commands.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/exit_code.h"
#include "app/cli/report_output.h"
#include "app/cli/rules_option.h"
#include "app/cli/terminal.h"
#include "app/loading/log_patterns_file.h"
#include "app/loading/notes_file.h"
#include "app/loading/report_files.h"
#include "app/loading/workspace_store.h"
#include "core/base/text_format.h"
#include "core/report/build_report.h"

namespace highwater::cli {

namespace {

/// Everything that a report is made of, as far as the user says it.
struct ReportJob
{
    ReportFiles run;
    ReportFiles before;
    ReportLoadOptions load;
    Notes notes;
    std::string notesSource;
    ReportOptions report;

    bool hasTwoRuns() const { return !before.paths.empty() || !before.unusable.empty(); }
};

int failed(const std::string& name, const Error& error)
{
    printError(name, error);
    return exitCodeOf(error);
}

void warn(const std::string& path, const std::vector<std::string>& warnings, bool isQuiet)
{
    for (const std::string& warning : warnings)
        if (!isQuiet)
            fmt::print(stderr, "highwater: {}: {}\n", sanitizedText(path), sanitizedText(warning));
}

Result<std::vector<ReportPart>> partsFrom(const std::vector<std::string>& names)
{
    std::vector<ReportPart> parts;
    for (const std::string& name : names) {
        const std::optional<ReportPart> part = reportPartFromText(name);
        if (!part)
            return fail(ErrorCode::BadRequest,
                fmt::format("--sections: there is no section {} (see --help)", sanitizedText(name)));
        if (std::ranges::find(parts, *part) == parts.end())
            parts.push_back(*part);
    }
    return parts;
}

/// A file that is where it was, or was found again, is read; any other one is told.
void addSource(ReportFiles& files, const WorkspaceSource& source, const ResolvedSource& resolved)
{
    const bool isUsable = resolved.state == SourceState::Found || resolved.state == SourceState::Moved;
    if (isUsable) {
        files.paths.push_back(resolved.path);
        if (source.isShown)
            files.shown = resolved.path;
        if (source.isShown && source.capacity)
            files.capacity = DeviceCapacity{*source.capacity, CapacitySource::Chosen, source.card, -1};
        return;
    }
    ReportSource missing;
    missing.path = resolved.path;
    missing.error = stateText(source.file, resolved);
    files.unusable.push_back(std::move(missing));
}

void takeSources(const OpenedWorkspace& opened, ReportJob& job)
{
    const std::vector<WorkspaceSource>& sources = opened.read.file.sources;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        ReportFiles& files = sources[i].role == NoteRun::Before ? job.before : job.run;
        addSource(files, sources[i], opened.sources[i]);
        if (sources[i].isShown && !sources[i].device.empty() && !files.device)
            files.device = sources[i].device;
    }
    if (opened.configuration && job.run.configuration.empty()
        && (opened.configuration->state == SourceState::Found
            || opened.configuration->state == SourceState::Moved))
        job.run.configuration = opened.configuration->path;
}

void takeSettings(const WorkspaceFile& file, const std::string& path, ReportJob& job)
{
    job.notes = file.notes;
    job.notesSource = path;
    if (job.load.rules.empty())
        job.load.rules = file.rules;
    job.load.steps.source = stepSourceFromText(file.steps.source);
    job.load.steps.pattern = file.steps.pattern;
    job.load.steps.markers = file.steps.markers;
    if (const auto kind = reportTemplateFromText(file.report.kind))
        job.report.kind = *kind;
    for (const std::string& name : file.report.parts)
        if (const std::optional<ReportPart> part = reportPartFromText(name))
            job.report.parts.push_back(*part);
    job.report.title = file.report.title;
    job.report.stripPaths = file.report.stripPaths;
}

Result<void> readWorkspaceInto(const ReportCommandOptions& options, ReportJob& job)
{
    ResolveOptions resolve;
    resolve.stop = interruptToken();
    const Result<OpenedWorkspace> opened = openWorkspace(options.workspace, resolve);
    if (!opened)
        return tl::unexpected(opened.error());
    warn(options.workspace, opened->read.warnings, options.common.quiet);
    if (const auto problem = stepPatternProblem(opened->read.file.steps.pattern))
        return fail(ErrorCode::Malformed, *problem);
    takeSettings(opened->read.file, options.workspace, job);
    if (job.run.paths.empty())
        takeSources(*opened, job);
    return {};
}

/// What the user says, over what the workspace says.
Result<void> takeOptions(const ReportCommandOptions& options, ReportJob& job)
{
    Result<std::vector<ReportPart>> parts = partsFrom(options.sections);
    if (!parts)
        return tl::unexpected(parts.error());
    if (!parts->empty())
        job.report.parts = *std::move(parts);
    if (const auto kind = reportTemplateFromText(options.kind)) {
        job.report.kind = *kind;
        if (options.sections.empty())
            job.report.parts.clear();
    } else if (options.workspace.empty() && job.hasTwoRuns()) {
        job.report.kind = ReportTemplate::BeforeAfter;
    }
    if (!options.title.empty())
        job.report.title = options.title;
    job.report.stripPaths = job.report.stripPaths || options.stripPaths;
    job.report.written = writtenText();
    return {};
}

Result<void> setUpLoading(const ReportCommandOptions& options, ReportJob& job)
{
    LoadOptions& load = job.load.load;
    if (!options.common.logPatterns.empty()) {
        Result<std::string> patterns = loadLogPatterns(options.common.logPatterns);
        if (!patterns)
            return tl::unexpected(patterns.error());
        load.logPatterns = *std::move(patterns);
    }
    load.maxMemoryBytes = options.common.maxMemoryBytes;
    load.maxInflateBytes = options.common.maxInflateBytes;
    load.stop = interruptToken();

    return {};
}

/// A line for each file that gave trouble, as all commands print it.
void printTrouble(const LoadedReportRun& loaded)
{
    for (const ReportSource& source : loaded.run.sources) {
        const std::string& trouble = source.error.empty() ? source.cutOff : source.error;
        if (!trouble.empty())
            fmt::print(stderr, "highwater: {}: {}\n", sanitizedText(source.path), sanitizedText(trouble));
    }
}

int exitCodeOf(const LoadedReportRun& loaded)
{
    return loaded.hasUnreadable ? CannotRead : loaded.hasIncomplete ? Incomplete : Done;
}

int write(const ReportCommandOptions& options, ReportJob& job, ReportFormat format)
{
    TerminalProgress progress(options.out, options.common.quiet);
    job.load.load.progress = progress.sink();
    Result<LoadedReportRuns> runs
        = loadReportRuns(job.run, job.hasTwoRuns() ? &job.before : nullptr, job.load);
    progress.clear();
    if (!runs)
        return failed(job.run.paths.empty() ? options.workspace : job.run.paths.front(), runs.error());
    int exitCode = Done;
    for (const LoadedReportRun* loaded : {runs->before.get(), runs->run.get()})
        if (loaded) {
            printTrouble(*loaded);
            warn("report", loaded->warnings, options.common.quiet);
            exitCode = worse(exitCode, exitCodeOf(*loaded));
        }
    const ReportRequest request{
        runs->run->run, runs->before ? &runs->before->run : nullptr, job.notes, job.notesSource, job.report};
    const Result<Report> report = buildReport(request);
    if (!report)
        return failed("report", report.error());
    const Result<void> written = writeReport(*report, format, options.out, options.force);
    return written ? exitCode : failed(options.out, written.error());
}

} // namespace

int runReport(const ReportCommandOptions& options)
{
    const Result<ReportFormat> format = reportFormat(options.out, options.common.json);
    if (!format)
        return failed("report", format.error());
    if (options.common.files.empty() && options.workspace.empty())
        return failed("report", {ErrorCode::BadRequest, "takes files, or a --workspace", {}});
    ReportJob job;
    job.run = {options.common.files, "", options.device, options.config, {}, {}};
    job.before = {options.before, "", options.device, options.beforeConfig, {}, {}};
    Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return rulesError(options.rules, rules.error());
    job.load.rules = *std::move(rules);
    if (const Result<void> set = setUpLoading(options, job); !set)
        return failed(options.common.logPatterns, set.error());
    if (!options.workspace.empty())
        if (const Result<void> read = readWorkspaceInto(options, job); !read)
            return failed(options.workspace, read.error());
    if (!options.notes.empty()) {
        Result<ReadNotes> notes = loadNotes(options.notes);
        if (!notes)
            return rulesError(options.notes, notes.error());
        warn(options.notes, notes->warnings, options.common.quiet);
        job.notes = std::move(notes->notes);
        job.notesSource = options.notes;
    }
    if (const Result<void> taken = takeOptions(options, job); !taken)
        return failed("report", taken.error());
    return write(options, job, *format);
}

} // namespace highwater::cli

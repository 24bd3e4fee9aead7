#include "app/cli/commands/commands.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/rules_option.h"
#include "app/cli/output/report_output.h"
#include "app/loading/files/log_patterns_file.h"
#include "app/loading/files/notes_file.h"
#include "app/loading/report_job.h"
#include "core/base/text_format.h"
#include "core/report/build_report.h"

namespace highwater::cli {

namespace {

int failed(const std::string& name, const Error& error)
{
    printError(name, error);
    return exitCodeOf(error);
}

void warn(const std::string& path, const std::vector<std::string>& warnings, bool isQuiet)
{
    for (const std::string& warning : warnings)
        if (!isQuiet)
            printErr("highwater: {}: {}\n", sanitizedText(path), sanitizedText(warning));
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

/// What the user says; files of notes and rules are read elsewhere.
Result<ReportJob> jobFrom(const ReportCommandOptions& options)
{
    ReportJob job;
    job.run.paths = options.common.files;
    job.run.configuration = options.config;
    job.before.paths = options.before;
    job.before.configuration = options.beforeConfig;
    job.run.device = job.before.device = options.device;
    Result<std::vector<ReportPart>> parts = partsFrom(options.sections);
    if (!parts)
        return tl::unexpected(parts.error());
    job.parts = *std::move(parts);
    job.kind = reportTemplateFromText(options.kind);
    job.title = options.title;
    job.stripPaths = options.stripPaths;
    LoadOptions& load = job.load.load;
    load.maxMemoryBytes = options.common.maxMemoryBytes;
    load.maxInflateBytes = options.common.maxInflateBytes;
    load.stop = interruptToken();
    return job;
}

/// Reads what the user names besides the runs: rules, patterns, notes, then the workspace. An exit code.
int readInto(ReportJob& job, const ReportCommandOptions& options)
{
    Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return rulesError(options.rules, rules.error());
    job.load.rules = *std::move(rules);
    if (!options.common.logPatterns.empty()) {
        Result<std::string> patterns = loadLogPatterns(options.common.logPatterns);
        if (!patterns)
            return failed(options.common.logPatterns, patterns.error());
        job.load.load.logPatterns = *std::move(patterns);
    }
    if (!options.notes.empty()) {
        Result<ReadNotes> notes = loadNotes(options.notes);
        if (!notes)
            return rulesError(options.notes, notes.error());
        warn(options.notes, notes->warnings, options.common.quiet);
        job.notes = std::move(notes->notes);
        job.notesSource = options.notes;
    }
    if (options.workspace.empty())
        return Done;
    const auto warnings = addWorkspace(job, options.workspace, interruptToken());
    if (!warnings)
        return failed(options.workspace, warnings.error());
    warn(options.workspace, *warnings, options.common.quiet);
    return Done;
}

/// A line for each file that gave trouble, as all commands print it.
void printTrouble(const LoadedReportRun& loaded)
{
    for (const ReportSource& source : loaded.sources) {
        const std::string& trouble = source.error.empty() ? source.cutOff : source.error;
        if (!trouble.empty())
            printErr("highwater: {}: {}\n", sanitizedText(source.path), sanitizedText(trouble));
    }
}

int exitCodeOf(const LoadedReportRun& loaded)
{
    return loaded.hasUnreadable ? CannotRead : loaded.hasIncomplete ? Incomplete : Done;
}

/// Every file that was read for the report: of a folder those alone that are of the run.
std::vector<std::string> inputsOf(const ReportCommandOptions& options, const LoadedReportRuns& runs)
{
    std::vector<std::string> inputs{options.notes, options.workspace, options.config, options.beforeConfig,
        options.rules, options.common.logPatterns};
    for (const LoadedReportRun* loaded : runs.all())
        for (const ReportSource& source : loaded->sources)
            inputs.push_back(source.path);
    return inputs;
}

int write(const ReportCommandOptions& options, ReportJob& job, ReportFormat format)
{
    TerminalProgress progress(options.out, options.common.quiet);
    job.load.load.progress = progress.sink();
    const Result<LoadedReportRuns> runs = loadReportRuns(job);
    progress.clear();
    if (!runs)
        return failed(job.run.paths.empty() ? options.workspace : job.run.paths.front(), runs.error());
    int exitCode = Done;
    for (const LoadedReportRun* loaded : runs->all()) {
        printTrouble(*loaded);
        warn("report", loaded->warnings, options.common.quiet);
        exitCode = worse(exitCode, exitCodeOf(*loaded));
    }
    const Result<Report> report = buildReport(reportRequest(job, *runs));
    if (!report)
        return failed("report", report.error());
    const Result<void> written
        = writeReport(*report, format, {options.out, options.force, inputsOf(options, *runs)});
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
    Result<ReportJob> job = jobFrom(options);
    if (!job)
        return failed("report", job.error());
    if (const int code = readInto(*job, options); code != Done)
        return code;
    return write(options, *job, *format);
}

} // namespace highwater::cli

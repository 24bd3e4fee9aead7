#include "app/cli/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/run_input.h"
#include "app/loading/files/notes_file.h"
#include "app/loading/run/report_job.h"
#include "core/base/interruption.h"
#include "core/base/result.h"
#include "core/base/text/near_text.h"
#include "core/base/text_format.h"
#include "core/report/build_report.h"
#include "core/report/report_files.h"

namespace highwater::cli {

namespace {

/// The destination of a report.
struct ReportTarget
{
    std::string out;
    bool force = false; ///< replace existing files
    std::vector<std::string> inputs; ///< files from which the report is made; they are never replaced
};

/// The figures of a Markdown report, in a folder that is made for them.
class FigureFiles
{
public:
    FigureFiles(const ReportTarget& target, std::string folder)
        : m_target(target)
        , m_folder(std::move(folder))
        , m_folderPath(std::filesystem::path(target.out).parent_path() / m_folder)
    {
    }
    /// Removes everything that was not committed, and the folder if it is new and empty.
    ~FigureFiles()
    {
        m_files.clear();
        if (m_isNew)
            ::rmdir(m_folderPath.c_str());
    }
    FigureFiles(const FigureFiles&) = delete;
    FigureFiles& operator=(const FigureFiles&) = delete;

    Result<void> add(const std::string& name, std::string_view svg)
    {
        std::error_code error;
        m_isNew = std::filesystem::create_directory(m_folderPath, error) || m_isNew;
        if (error)
            return fail(
                ErrorCode::CannotRead, fmt::format("{} cannot be created: {}", m_folder, error.message()));
        Result<OutputFile> file
            = OutputFile::create((m_folderPath / name).string(), m_target.force, m_target.inputs);
        if (!file)
            return withFileName(name, file.error());
        m_files.emplace_back(name, *std::move(file));
        m_files.back().second.write(svg);
        const Result<void> done = m_files.back().second.finish();
        return done ? done : withFileName(name, done.error());
    }

    Result<void> commit()
    {
        for (auto& [name, file] : m_files)
            if (const Result<void> done = file.commit(); !done)
                return withFileName(name, done.error());
        return {};
    }

private:
    tl::unexpected<Error> withFileName(const std::string& name, const Error& error) const
    {
        return fail(error.code, fmt::format("{}/{} {}", m_folder, name, error.message));
    }

    const ReportTarget& m_target;
    std::string m_folder;
    std::filesystem::path m_folderPath;
    bool m_isNew = false;
    std::vector<std::pair<std::string, OutputFile>> m_files; ///< each with its name
};

/// Writes all files to the disk, then moves the figures into their folder next to the text ("run.md" →
/// "run-figures"), and the text last. If a file cannot be moved, those before it stay. Fails with BadRequest
/// if a file may not be replaced, and with CannotRead if one cannot be written.
Result<void> writeReport(const Report& report, ReportFormat format, const ReportTarget& target)
{
    Result<OutputFile> text = OutputFile::create(target.out, target.force, target.inputs);
    if (!text)
        return tl::unexpected(text.error());
    const ReportFiles files = reportFiles(report, format, std::filesystem::path(target.out).stem().string());
    FigureFiles figures(target, files.folder);
    for (const auto& [name, svg] : files.figures)
        if (const Result<void> done = figures.add(name, svg); !done)
            return done;
    text->write(files.text);
    if (const Result<void> done = text->finish(); !done)
        return done;
    interruptionPoint();
    if (const Result<void> done = figures.commit(); !done)
        return done;
    return text->commit();
}

/// Returns the format by the ending of the file's name; for standard output JSON, if requested. Fails with
/// BadRequest if there is none.
Result<ReportFormat> reportFormat(const std::string& out, bool json)
{
    if (out == "-" && json)
        return ReportFormat::JsonDocument;
    if (const std::optional<ReportFormat> format = reportFormatFromPath(out))
        return *format;
    return fail(ErrorCode::BadRequest,
        out == "-" ? "-o - needs --json" : "-o needs a name that ends in .html, .md or .json");
}

void printWarnings(const std::string& path, const std::vector<std::string>& warnings, bool isQuiet)
{
    for (const std::string& warning : warnings)
        if (!isQuiet)
            printErr("highwater: {}: {}\n", sanitizedText(path), sanitizedText(warning));
}

std::string noSuchSectionText(const std::string& name)
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kReportPartCount; ++i)
        known.emplace_back(toText(static_cast<ReportPart>(i)));
    return fmt::format("--sections: there is no section {}{} (one of {})", sanitizedText(name),
        didYouMean(name, known), fmt::join(known, ", "));
}

/// Returns the named sections in their order, each once; ends the command for an unknown name.
std::vector<ReportPart> partsFrom(const std::vector<std::string>& names)
{
    std::vector<ReportPart> parts;
    for (const std::string& name : names) {
        const std::optional<ReportPart> part = reportPartFromText(name);
        if (!part)
            refuse("report", noSuchSectionText(name));
        if (std::ranges::find(parts, *part) == parts.end())
            parts.push_back(*part);
    }
    return parts;
}

/// Makes a job from the user's options, without the files that `readNamedFiles` reads.
ReportJob jobFrom(const ReportCommandOptions& options)
{
    ReportJob job;
    job.run.paths = options.common.files;
    job.run.configuration = options.config;
    job.before.paths = options.before;
    job.before.configuration = options.beforeConfig;
    job.run.device = job.before.device = options.device;
    job.parts = partsFrom(options.sections);
    job.kind = reportTemplateFromText(options.kind);
    job.title = options.title;
    job.keepsHomes = options.keepsHomes;
    job.stripPaths = options.stripPaths;
    job.isFull = options.isFull;
    job.run.rank = job.before.rank = options.common.rank;
    job.load.hashes = true;
    return job;
}

/// Reads what the user names besides the runs: rules, notes, then the workspace.
void readNamedFiles(ReportJob& job, const ReportCommandOptions& options)
{
    job.load.rules = rulesFrom(options.rules);
    if (!options.notes.empty()) {
        ParsedNotes notes = needOption(options.notes, loadNotes(options.notes));
        printWarnings(options.notes, notes.warnings, options.common.quiet);
        job.notes = std::move(notes.notes);
        job.notesSource = options.notes;
    }
    if (!options.workspace.empty())
        printWarnings(options.workspace,
            need(options.workspace, addWorkspace(job, options.workspace, interruptToken())),
            options.common.quiet);
}

/// Returns every file that was read for the report; from a folder only the files of the run.
std::vector<std::string> inputsOf(const ReportCommandOptions& options, const Runs& runs)
{
    std::vector<std::string> inputs{options.notes, options.workspace, options.config, options.beforeConfig,
        options.rules, options.common.logPatterns};
    for (const Run* loaded : runs.all())
        for (const ReportSource& source : loaded->sources)
            inputs.push_back(source.path);
    return inputs;
}

/// `--before A B` takes both files, since the earlier run may have several; B is then the later run.
ReportCommandOptions withLastBeforeFileAsRun(ReportCommandOptions options)
{
    if (!options.common.files.empty() || !options.workspace.empty() || options.before.size() < 2)
        return options;
    if (options.before.size() > 2)
        refuse(
            "report", "all files are taken as the earlier run; name those of the later run before --before");
    options.common.files.push_back(options.before.back());
    options.before.pop_back();
    return options;
}

int buildAndWrite(const ReportCommandOptions& options, ReportJob& job, ReportFormat format)
{
    const Runs runs
        = needRuns(options.common, job, job.run.paths.empty() ? options.workspace : job.run.paths.front());
    const Report report = need("report", buildReport(reportRequest(job, runs)));
    need(options.out, writeReport(report, format, {options.out, options.force, inputsOf(options, runs)}));
    return exitCodeOf(runs);
}

} // namespace

int runReport(const ReportCommandOptions& given)
{
    const ReportCommandOptions options = withLastBeforeFileAsRun(given);
    const ReportFormat format = need("report", reportFormat(options.out, options.common.json));
    if (options.common.files.empty() && options.workspace.empty())
        refuse("report", "needs files or a --workspace");
    ReportJob job = jobFrom(options);
    job.isFull = job.isFull || format == ReportFormat::JsonDocument;
    job.keepsHomes = job.keepsHomes || format == ReportFormat::JsonDocument;
    job.isLive = format == ReportFormat::Html && !options.isStatic;
    readNamedFiles(job, options);
    return buildAndWrite(options, job, format);
}

} // namespace highwater::cli

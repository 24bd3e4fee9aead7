#include "app/loading/run/report_job.h"

#include <array>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "app/loading/files/workspace_store.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/steps/step_boundaries.h"
#include "core/base/text_parts.h"
#include "core/base/version.h"

namespace highwater {

namespace {

/// Adds a file that was found; a missing or changed file becomes `unusable`.
void addSource(RunRequest& files, const WorkspaceSource& source, const ResolvedSource& resolved)
{
    if (source.isShown && !source.device.empty() && !files.device)
        files.device = source.device;
    if (resolved.isUsable()) {
        files.paths.push_back(resolved.path);
        if (source.isShown)
            files.shown = resolved.path;
        if (source.isShown && source.capacity)
            files.capacity = savedCapacity(*source.capacity, source.gpu);
        return;
    }
    ReportSource missing;
    missing.path = resolved.path;
    missing.error = stateText(source.file, resolved);
    files.unusable.push_back(std::move(missing));
}

void addSources(ReportJob& job, const OpenedWorkspace& opened)
{
    const bool namesBefore = job.hasTwoRuns();
    const std::vector<WorkspaceSource>& sources = opened.read.file.sources;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const bool isBefore = sources[i].role == NoteRun::Before;
        if (!isBefore || !namesBefore)
            addSource(isBefore ? job.before : job.run, sources[i], opened.sources[i]);
    }
    if (opened.configuration && job.run.configuration.empty() && opened.configuration->isUsable())
        job.run.configuration = opened.configuration->path;
}

/// Takes the choices about the report that the job leaves open.
void addReportChoices(ReportJob& job, const WorkspaceReport& report)
{
    if (!job.kind && job.parts.empty())
        for (const std::string& name : report.parts)
            if (const std::optional<ReportPart> part = reportPartFromText(name))
                job.parts.push_back(*part);
    if (!job.kind)
        job.kind = reportTemplateFromText(report.kind);
    if (job.title.empty())
        job.title = report.title;
    job.stripPaths = job.stripPaths || report.stripPaths;
}

void addSettings(ReportJob& job, const WorkspaceFile& file, const std::string& path)
{
    if (job.notesSource.empty()) {
        job.notes = file.notes;
        job.notesSource = path;
    }
    if (job.load.rules.empty())
        job.load.rules = file.rules;
    job.load.steps.source = stepSourceFromText(file.steps.source);
    job.load.steps.pattern = file.steps.pattern;
    job.load.steps.markers = file.steps.markers;
    addReportChoices(job, file.report);
}

/// Returns SOURCE_DATE_EPOCH, which is set for builds that must give the same bytes
/// (reproducible-builds.org).
std::optional<std::time_t> sourceDate()
{
    const char* const text = std::getenv("SOURCE_DATE_EPOCH");
    return text ? parsedNumber<std::time_t>(text) : std::nullopt;
}

} // namespace

Result<std::vector<std::string>> addWorkspace(ReportJob& job, const std::string& path, const StopToken& stop)
{
    ResolveOptions resolve;
    resolve.stop = stop;
    Result<OpenedWorkspace> opened = openWorkspace(path, resolve);
    if (!opened)
        return tl::unexpected(opened.error());
    if (const auto problem = stepPatternProblem(opened->read.file.steps.pattern))
        return fail(
            ErrorCode::Malformed, "the pattern of the steps is not a regular expression: " + *problem);
    addSettings(job, opened->read.file, path);
    if (job.run.paths.empty())
        addSources(job, *opened);
    return std::move(opened->read.warnings);
}

tl::expected<Runs, RunError> readRuns(const ReportJob& job)
{
    if (!job.hasTwoRuns()) {
        if (!job.before.configuration.empty())
            return tl::unexpected(
                RunError{{ErrorCode::BadRequest,
                             "a configuration of the earlier run is given, but no earlier run", {}},
                    {}});
        return readRuns(job.run, nullptr, job.load);
    }
    RunRequest before = job.before;
    before.isConfigurationShared = before.configuration.empty();
    if (before.isConfigurationShared)
        before.configuration = job.run.configuration;
    return readRuns(job.run, &before, job.load);
}

ReportRequest reportRequest(const ReportJob& job, const Runs& runs)
{
    ReportOptions options;
    options.kind = job.kind.value_or(runs.before ? ReportTemplate::BeforeAfter : ReportTemplate::Incident);
    options.parts = job.parts;
    options.title = job.title;
    options.keepsHomes = job.keepsHomes;
    options.stripPaths = job.stripPaths;
    options.isFull = job.isFull;
    options.isLive = job.isLive;
    options.written = writtenText();
    return {runs.run, runs.before ? &*runs.before : nullptr, job.notes, job.notesSource, std::move(options)};
}

std::string writtenText()
{
    static constexpr std::array<const char*, 12> kMonths{"January", "February", "March", "April", "May",
        "June", "July", "August", "September", "October", "November", "December"};
    const std::optional<std::time_t> fixed = sourceDate();
    const std::time_t now = fixed.value_or(std::time(nullptr));
    std::tm day{};
    if (fixed)
        ::gmtime_r(&now, &day);
    else
        ::localtime_r(&now, &day);
    return fmt::format("{} {} {}, Highwater {}", day.tm_mday, kMonths[static_cast<std::size_t>(day.tm_mon)],
        day.tm_year + 1900, programVersion());
}

} // namespace highwater

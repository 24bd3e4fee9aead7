#include "app/workspace/saved/report_subject.h"

#include "app/workspace/tasks/system_path.h"
#include "core/report/input/report_comparison.h"

namespace highwater::gui {

namespace {

/// Returns the run's study, made with the other run's configuration if only that one has any.
Result<std::shared_ptr<const RunStudy>> studyOf(const ReportedRun& run, const ReportedRun* otherRun)
{
    const bool isShared = run.configuration.isEmpty() && otherRun && !otherRun->configuration.isEmpty();
    if (run.study && !isShared)
        return run.study;
    RunParts parts = partsOf(run.files);
    if (run.analysis)
        parts.device = gui::studyOf(run.analysis);
    parts.capacity = run.capacity;
    const std::string path = systemPath(isShared ? otherRun->configuration : run.configuration);
    if (!path.empty()) {
        const Result<RunDescription> description = loadRunDescription(path);
        if (!description)
            return fail(description.error().code, shownName(path) + ": " + description.error().message,
                description.error().place);
        addDescription(parts, *description, isShared);
    }
    return std::make_shared<const RunStudy>(std::move(parts));
}

/// Returns the hash of the bytes that were analysed; empty if the file has changed since.
std::string hashOf(const RunSource& source, FileHashes& hashes)
{
    if (source.read && identityAt(source.file.path) != source.read)
        return {};
    return hashes.hashOf(source.file.path).value_or("");
}

/// `otherRun` is null if there is only one run.
Result<ReportRun> reportRun(
    const ReportedRun& reported, const ReportedRun* otherRun, const std::string& role, FileHashes& hashes)
{
    Result<std::shared_ptr<const RunStudy>> study = studyOf(reported, otherRun);
    if (!study)
        return tl::unexpected(study.error());
    ReportRun run{*std::move(study), reportSources(reported.files, role), reported.main, reported.ranks};
    for (std::size_t i = 0; i < run.sources.size(); ++i)
        run.sources[i].sha256 = hashOf(reported.files[i], hashes);
    return run;
}

} // namespace

Result<ReportRuns> reportRuns(const ReportSubject& subject, FileHashes& hashes)
{
    const ReportedRun* const earlierRun = subject.before ? &*subject.before : nullptr;
    Result<ReportRun> run = reportRun(subject.run, earlierRun, earlierRun ? "after" : "", hashes);
    if (!run)
        return tl::unexpected(run.error());
    ReportRuns runs{*std::move(run), std::nullopt, nullptr};
    if (!earlierRun)
        return runs;
    Result<ReportRun> before = reportRun(*earlierRun, &subject.run, "before", hashes);
    if (!before)
        return tl::unexpected(before.error());
    runs.before = *std::move(before);
    auto comparison = compareReportRuns(*runs.before->study, *runs.run.study);
    if (!comparison)
        return tl::unexpected(comparison.error());
    runs.comparison = *std::move(comparison);
    return runs;
}

} // namespace highwater::gui

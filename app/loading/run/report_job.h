#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/run/read_run.h"

namespace highwater {

/// The content and form of a report as far as they were chosen: by the user first, then by a workspace.
struct ReportJob
{
    RunRequest run; ///< the only run, or the later one
    RunRequest before; ///< without files if there is only one run
    RunReadOptions load;
    Notes notes;
    std::string notesSource; ///< path of the file with the notes; empty if nobody has named one
    std::optional<ReportTemplate> kind; ///< nullopt selects the one that suits the runs
    std::vector<ReportPart> parts; ///< chosen and ordered; empty selects those of the template
    std::string title; ///< empty to make one from the file names
    bool stripPaths = false;
    bool isFull = false; ///< ReportOptions::isFull
    bool isLive = false; ///< ReportOptions::isLive

    bool hasTwoRuns() const { return !before.paths.empty() || !before.unusable.empty(); }
};

/// Fills in what the job leaves open from a workspace: its files if the job names none of the run (and those
/// of the run before if it names none of that), with their device, chosen capacity and configuration; notes
/// and rules; and the report's template, sections and title. The workspace's steps always apply. Its sections
/// belong to its template and are left out if the job has a template of its own. Files that were found again
/// are read from their new place; missing and changed ones become `unusable`. Returns sentences about the
/// parts of the workspace that were ignored. Fails as `openWorkspace` does, or with Malformed for a bad step
/// pattern. O(bytes of files that must be hashed).
Result<std::vector<std::string>> addWorkspace(
    ReportJob& job, const std::string& path, const StopToken& stop = {});

/// Reads the runs of a job. If only the run (after) has a configuration, it describes both runs, except for
/// settings that the main file of the run before records itself. Fails with BadRequest if there is a
/// configuration of the run before but no such run, otherwise as the other `readRuns` does.
tl::expected<Runs, RunError> readRuns(const ReportJob& job);

/// Returns a request that refers to `runs`, which must outlive it.
ReportRequest reportRequest(const ReportJob& job, const Runs& runs);

/// Returns the date and the program's version, "22 November 2026, Highwater 0.1.0"; the date is that of
/// SOURCE_DATE_EPOCH if set.
std::string writtenText();

} // namespace highwater

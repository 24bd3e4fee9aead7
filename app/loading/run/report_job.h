#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/run/read_run.h"

namespace highwater {

/// What a report is made of and how it is to read, as far as it is said: by the user first, then by a
/// workspace.
struct ReportJob
{
    RunRequest run; ///< the only one, or the one after
    RunRequest before; ///< without files: there is one run
    RunReadOptions load;
    Notes notes;
    std::string notesSource; ///< path of the file that they are from; empty: nobody has named one
    std::optional<ReportTemplate> kind; ///< none: the one that suits the runs
    std::vector<ReportPart> parts; ///< chosen and ordered; empty: those of the template
    std::string title; ///< empty: made of the names of the files
    bool stripPaths = false;
    bool isFull = false; ///< ReportOptions::isFull
    bool isLive = false; ///< ReportOptions::isLive

    bool hasTwoRuns() const { return !before.paths.empty() || !before.unusable.empty(); }
};

/// Lets the workspace say what the job leaves open: its files where the job names none of the run (those of
/// the run before where it names none of that), with what goes with them: device, chosen capacity and
/// configuration; notes, rules, steps, and the report's template, sections and title. Sections of a workspace
/// belong to its template: they are left out where the job has one of its own. Files that were found again
/// are read where they are; missing and changed ones become `unusable`. Gives what was left out of the
/// workspace, sentences. Fails as `openWorkspace` does. O(bytes of files that are to be told by their hash).
Result<std::vector<std::string>> addWorkspace(
    ReportJob& job, const std::string& path, const StopToken& stop = {});

/// The runs of a job. Where there is a configuration of the run (after) alone, it describes both runs, as far
/// as the main file of the one before does not record something else. Fails with BadRequest where there is a
/// configuration of a run before and no such run, else as `readRuns` of files does.
tl::expected<Runs, RunError> readRuns(const ReportJob& job);

/// Points at `runs`, which must outlive it.
ReportRequest reportRequest(const ReportJob& job, const Runs& runs);

/// "22 November 2026, Highwater 0.1.0"; of the time that SOURCE_DATE_EPOCH says, where it is set.
std::string writtenText();

} // namespace highwater

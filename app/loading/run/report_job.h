#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/run/read_run.h"

namespace highwater {

/// The content and form of a report, as far as they are known: choices of the user, completed from a
/// workspace.
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
    bool keepsHomes = false; ///< ReportOptions::keepsHomes
    bool stripPaths = false;
    bool isFull = false; ///< ReportOptions::isFull
    bool isLive = false; ///< ReportOptions::isLive

    bool hasTwoRuns() const { return !before.paths.empty() || !before.unusable.empty(); }
};

/// Fills in what the user left open from a workspace. If the job names no files of the run, takes those of
/// the workspace and their capacity. Then it also takes the workspace's device and configuration, unless the
/// job has its own, and the files of the earlier run, unless the job names some. Takes notes and rules unless
/// the job has its own, and always takes the steps.
///
/// Also takes the report's template, sections and title unless the job has its own; paths are stripped if the
/// job or the workspace says so. The sections belong to
/// the workspace's template and are left out if the job has sections or a template. Files that were found at
/// another place are read from there; missing and changed ones become `unusable`.
///
/// Returns sentences about parts of the workspace that were ignored. Fails as `openWorkspace` does, or with
/// Malformed for a bad step pattern. O(bytes of files that must be hashed).
Result<std::vector<std::string>> addWorkspace(
    ReportJob& job, const std::string& path, const StopToken& stop = {});

/// Reads the runs of a job. If only the later run has a configuration, it describes both runs; settings
/// that the earlier run's main file records override it. Fails with BadRequest if the earlier run has a
/// configuration but no files, otherwise as the other `readRuns` does.
tl::expected<Runs, RunError> readRuns(const ReportJob& job);

/// Returns a request that refers to `runs`, which must outlive it.
ReportRequest reportRequest(const ReportJob& job, const Runs& runs);

/// Returns the date and the program's version, "22 November 2026, Highwater 0.1.0"; the date is that of
/// SOURCE_DATE_EPOCH if set.
std::string writtenText();

} // namespace highwater

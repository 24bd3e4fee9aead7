#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"
#include "app/loading/run/report_job.h"

namespace highwater::cli {

/// Reads the files of a command as one run, with progress on a terminal, and prints a line on standard error
/// for each file that has a problem. Ends the command if the run or its configuration cannot be read.
/// `request.paths` and `request.rank` are set from `common`, whose files must not be empty.
Run needRun(const CommonOptions& common, RunRequest request, RunReadOptions options);

/// Reads the one or two runs of a job as `needRun` does, with the load options of `common`. `subject` is
/// named in an error that no single file causes.
Runs needRuns(const CommonOptions& common, ReportJob& job, const std::string& subject);

/// Prints a line on standard error for each file of the run that has a problem, and the run's warnings
/// unless `isQuiet`.
void printProblems(const Run& run, bool isQuiet);

/// Returns the worst exit code for the files of this run, or of these runs.
int exitCodeOf(const Run& run);
int exitCodeOf(const Runs& runs);

/// Returns the main file of a run as the input of a command that answers for one file.
LoadedInput mainInput(const Run& run);

/// Prints the first lines of an answer for a run: other runs among the files and, if the run has several
/// files, which file is shown and how the ranks differ, in at most three sentences.
/// Leaves out sentences that the diagnosis repeats or that begin with one of `titles`.
void printRunHead(const Run& run, const std::vector<std::string>& titles = {});

} // namespace highwater::cli

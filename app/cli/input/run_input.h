#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"
#include "app/loading/run/report_job.h"

namespace highwater::cli {

/// Reads the files of a command as one run, with progress on a terminal, and prints a line on standard error
/// for each file that gave trouble. Ends the command where there is nothing to go on with. `request.paths`
/// and `request.rank` are those of `common`.
Run needRun(const CommonOptions& common, RunRequest request, RunReadOptions options);

/// Reads the one run or the two of a job in the same way; how files are loaded is what `common` says.
/// `subject` is what is named where no file is the reason that there is nothing.
Runs needRuns(const CommonOptions& common, ReportJob& job, const std::string& subject);

/// Prints those lines. `readRuns` has returned the run.
void printTroubles(const Run& run, bool isQuiet);

/// Exit code that the files of this run, or of these, give.
int exitCodeOf(const Run& run);
int exitCodeOf(const Runs& runs);

/// The main file of a run as the input of a command that answers for one file.
LoadedInput mainInput(const Run& run);

/// First lines of an answer for a run of several files: which file it is about, how another is chosen, and
/// how the ranks differ. Nothing for a run of one file.
void printRunHead(const Run& run);

} // namespace highwater::cli

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"
#include "app/loading/run/read_run.h"

namespace highwater::cli {

/// Reads the files of a command as one run, with progress on a terminal, and prints a line on standard error
/// for each file that gave trouble. Ends the command where there is nothing to go on with. `request.paths`
/// and `request.rank` are those of `common`.
Run needRun(const CommonOptions& common, RunRequest request, RunReadOptions options);

/// Prints those lines. `readRuns` has returned the run.
void printTroubles(const Run& run, bool isQuiet);

/// Exit code that the files of this run give.
int exitCodeOf(const Run& run);

/// The main file of a run as the input of a command that answers for one file.
LoadedInput mainInput(const Run& run);

/// First lines of an answer for a run of several files: which file it is about, how another is chosen, and
/// how the ranks differ. Nothing for a run of one file.
void printRunHead(const Run& run);

} // namespace highwater::cli

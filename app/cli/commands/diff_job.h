#pragma once

#include <functional>

#include "app/cli/commands/commands.h"
#include "app/cli/output/diff_output.h"
#include "app/cli/output/log_diff_output.h"

namespace highwater::cli {

/// Receives the result and returns an exit code.
using DiffHandler = std::function<int(const DiffReport&)>;
using LogDiffHandler = std::function<int(const LogDiffReport&)>;

/// Loads both files, compares them as requested and passes the result to `handle`, or to `handleLogs` for two
/// logs. Returns the worst exit code of both files and the handler, which is not called if a file cannot be
/// read; that error is printed. Ends the command (`Refusal`) if there are not two files, if the options do
/// not suit the files, or if the files do not suit each other.
int compareTwoFiles(const DiffOptions& options, const DiffHandler& handle, const LogDiffHandler& handleLogs);

} // namespace highwater::cli

#pragma once

#include <functional>

#include "app/cli/commands/commands.h"
#include "app/cli/output/diff_output.h"
#include "app/cli/output/log_diff_output.h"

namespace highwater::cli {

/// Receives the result and returns an exit code.
using UseOfDiff = std::function<int(const DiffReport&)>;
using UseOfLogDiff = std::function<int(const LogDiffReport&)>;

/// Loads both files, compares them as requested and passes the result to `use`, or to `useOfLogs` for two
/// logs. Returns the worst exit code.
int compareTwoFiles(const DiffOptions& options, const UseOfDiff& use, const UseOfLogDiff& useOfLogs);

} // namespace highwater::cli

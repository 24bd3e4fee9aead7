#pragma once

#include <string>

#include "app/cli/output/diff_output.h"
#include "core/analysis/diff/logs/log_diff.h"

namespace highwater::cli {

/// The result of `highwater diff` for two logs.
struct LogDiffReport
{
    std::string beforePath;
    std::string afterPath;
    const Trace& before; ///< owned by the caller, like `after`
    const Trace& after;
    LogDiff diff;
};

/// Prints one JSON document on standard output: a diff without rows and steps, but with the logs' series and
/// failures.
void printLogDiffJson(const LogDiffReport& report, const BothDiagnoses& diagnoses);

/// Prints for people: the verdict, the series that both logs have, the first out-of-memory failures of each,
/// the settings that differ. `top` is the number of series; 0 prints all.
void printLogDiff(const LogDiffReport& report, std::size_t top);

} // namespace highwater::cli

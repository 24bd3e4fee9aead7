#pragma once

#include <string>

#include "app/cli/output/diff_output.h"
#include "core/analysis/diff/log_diff.h"

namespace highwater::cli {

/// What `highwater diff` found in two logs.
struct LogDiffReport
{
    std::string beforePath;
    std::string afterPath;
    const Trace& before;
    const Trace& after;
    LogDiff diff;
};

/// One JSON document on standard output: the keys of a diff, of which rows and steps are empty, and "series"
/// and "ooms".
void printLogDiffJson(const LogDiffReport& report, const BothDiagnoses& diagnoses);

/// For people: the verdict, the series that both have, the out-of-memory messages, the settings. `top`
/// series; 0: all.
void printLogDiff(const LogDiffReport& report, std::size_t top);

} // namespace highwater::cli

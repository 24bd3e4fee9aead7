#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/study/run_comparison.h"

namespace highwater::cli {

/// One run of `highwater diff`.
struct DiffedRun
{
    std::string path;
    const DeviceStudy& study;
    std::int64_t event = -1; ///< the moment that is compared
};

/// Everything that `highwater diff` found.
struct DiffReport
{
    DiffedRun before;
    DiffedRun after;
    std::string group;
    bool inferred = false; ///< one of the runs counts by the allocator's rounding rule
    const RunComparison& runs;
    DiffFindings found;
};

/// The diagnoses of both runs, as documents; null where there is none.
struct BothDiagnoses
{
    nlohmann::ordered_json before;
    nlohmann::ordered_json after;
};

/// One JSON document on standard output (resources/manual/json.md, "diff").
void printDiffJson(const DiffReport& report, const BothDiagnoses& diagnoses);

/// For people: the verdict, the two moments, the rows that differ most, what their sizes say, the steps, the
/// settings. `top` rows; 0: all.
void printDiff(const DiffReport& report, std::size_t top);

/// A table of what differs.
void printSettings(const std::vector<SettingChange>& settings);

} // namespace highwater::cli

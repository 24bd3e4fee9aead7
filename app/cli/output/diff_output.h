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
    const DeviceStudy& study; ///< owned by the caller
    std::int64_t event = -1; ///< the compared moment

    bool isAtPeak() const { return event == study.curve.peak().event; }
};

/// Everything that `highwater diff` found.
struct DiffReport
{
    DiffedRun before;
    DiffedRun after;
    std::string group; ///< key of the rows: "stack", "site", …
    bool isInferred = false; ///< the bytes of at least one run are inferred by the allocator's rounding rule
    const RunComparison& runs;
    DiffFindings found;
};

/// The diagnoses of both runs, as `diagnosisOfRun` returns them.
struct BothDiagnoses
{
    nlohmann::ordered_json before;
    nlohmann::ordered_json after;
};

/// Prints one JSON document on standard output (resources/manual/json.md, "diff").
void printDiffJson(const DiffReport& report, const BothDiagnoses& diagnoses);

/// Prints for people: the verdict, the two moments, the rows that differ most, what their sizes suggest, the
/// steps, the settings. `top` is the number of rows; 0 prints all.
void printDiff(const DiffReport& report, std::size_t top);

/// Prints a table of the settings that differ.
void printSettings(const std::vector<SettingChange>& settings);

} // namespace highwater::cli

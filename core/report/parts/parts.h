#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// Writes the parts of a report, one function and file each. The functions are pure and return no blocks if
/// there is nothing to report. A brief report has only the most important content of each. They cost as much
/// as their tables and figures.
namespace highwater {

/// Returns warnings, cause, effect and next step, the main timeline, and further actions; for two runs also
/// their main figures, and which faults are fixed. In a pull request it is half a page without the timeline.
std::vector<ReportBlock> summaryPart(const ReportMaterial& material);
/// Returns the waterfall, rows that add up to the change, conclusions from their sizes; for two logs their
/// series.
std::vector<ReportBlock> comparisonPart(const ReportMaterial& material);
/// Returns figures over time with flags for the notes.
std::vector<ReportBlock> timelinePart(const ReportMaterial& material);
/// Returns the notes in order, each with its place described.
std::vector<ReportBlock> notesPart(const ReportMaterial& material);
/// Returns the findings; in a pull request only the titles of the first faults.
std::vector<ReportBlock> findingsPart(const ReportMaterial& material);
/// Returns the live memory at the peak, by category, call site, stack and size; for a log its series.
std::vector<ReportBlock> peakPart(const ReportMaterial& material);
/// Returns the merged ranks, as in `highwater ranks`: sentences, the map of ranks and steps, tables.
std::vector<ReportBlock> ranksPart(const ReportMaterial& material);
/// Returns the peaks of the steps, of two runs also side by side.
std::vector<ReportBlock> stepsPart(const ReportMaterial& material);
/// Returns the expected bytes beside the observed ones, and the GPUs that the run fits.
std::vector<ReportBlock> budgetPart(const ReportMaterial& material);
/// Returns the out-of-memory messages of logs, and the allocator's state when a request failed.
std::vector<ReportBlock> messagesPart(const ReportMaterial& material);
/// Returns the settings that changed, and the facts and settings of each run.
std::vector<ReportBlock> factsPart(const ReportMaterial& material);
/// Returns files with their hashes, gaps in the recording, inferences.
std::vector<ReportBlock> provenancePart(const ReportMaterial& material);

} // namespace highwater

#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// The parts of a report, one file each. Pure; no blocks if there is nothing to report. The cost is that of
/// their tables and figures.
namespace highwater {

/// Main figures; whether the problem is growth, fragmentation or size; what held the peak; what to do first.
/// For two runs both peaks, and which faults are fixed.
std::vector<ReportBlock> summaryPart(const ReportMaterial& material);
/// Waterfall, rows that sum to the change, what their sizes show; for two logs their series.
std::vector<ReportBlock> comparisonPart(const ReportMaterial& material);
/// Figures over time with the flags of the notes.
std::vector<ReportBlock> timelinePart(const ReportMaterial& material);
/// The notes in order, each with its place in words.
std::vector<ReportBlock> notesPart(const ReportMaterial& material);
/// All findings; in a pull request only their sentences.
std::vector<ReportBlock> findingsPart(const ReportMaterial& material);
/// What was live at the peak, by category, call site, stack and size; for a log its series.
std::vector<ReportBlock> peakPart(const ReportMaterial& material);
/// The merged ranks, as `highwater ranks` tells them: sentences, the map of ranks and steps, tables.
std::vector<ReportBlock> ranksPart(const ReportMaterial& material);
std::vector<ReportBlock> stepsPart(const ReportMaterial& material);
std::vector<ReportBlock> budgetPart(const ReportMaterial& material);
/// Out of memory: messages of logs, and the allocator's state when a request failed.
std::vector<ReportBlock> messagesPart(const ReportMaterial& material);
std::vector<ReportBlock> factsPart(const ReportMaterial& material);
/// Files with their hashes, what the recording lacks, what is inferred.
std::vector<ReportBlock> provenancePart(const ReportMaterial& material);

} // namespace highwater

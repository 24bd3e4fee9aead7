#pragma once

#include <vector>

#include "core/report/material/report_material.h"

/// The parts of a report, one file each. Pure; no blocks where there is nothing to say. Costs are those of
/// the tables and figures that they hold.
namespace highwater {

/// Main figures, which of growth, fragmentation and size it is, what held the peak, what to do first; of two
/// runs both peaks, and which faults are gone.
std::vector<ReportBlock> summaryPart(const ReportMaterial& material);
/// Waterfall, rows that sum to the change, what their sizes say; of two logs their series.
std::vector<ReportBlock> comparisonPart(const ReportMaterial& material);
/// Pictures over time with the flags of the notes.
std::vector<ReportBlock> timelinePart(const ReportMaterial& material);
/// The notes in order, each with its place in words.
std::vector<ReportBlock> notesPart(const ReportMaterial& material);
/// All findings; in a pull request their sentences alone.
std::vector<ReportBlock> findingsPart(const ReportMaterial& material);
/// What was alive at the peak, by category, call site, stack and size, and the ranks beside each other; of a
/// log its series.
std::vector<ReportBlock> peakPart(const ReportMaterial& material);
std::vector<ReportBlock> stepsPart(const ReportMaterial& material);
std::vector<ReportBlock> budgetPart(const ReportMaterial& material);
/// Out of memory: messages of logs, and the allocator when a request failed.
std::vector<ReportBlock> messagesPart(const ReportMaterial& material);
std::vector<ReportBlock> factsPart(const ReportMaterial& material);
/// Files with their hashes, what the recording does not tell, what is inferred.
std::vector<ReportBlock> provenancePart(const ReportMaterial& material);

} // namespace highwater

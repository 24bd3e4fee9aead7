#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// Figures over time with flags for the notes, shared by the summary and the timelines.
namespace highwater {

/// Adds the most informative timeline: both runs overlaid, the only run, or the memory in its log; for a log
/// that measured none over time, the table of its failures instead. If the report is live, the figure of runs
/// with devices includes their data. May add nothing.
void addMainTimeline(std::vector<ReportBlock>& blocks, const ReportMaterial& material);
/// Adds both runs separately, at one scale, if they have devices; and the memory in all logs, except the one
/// that `addMainTimeline` draws.
void addTimelines(std::vector<ReportBlock>& blocks, const ReportMaterial& material);

} // namespace highwater

#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// Figures over time with flags for the notes, shared by the summary and the timelines.
namespace highwater {

/// Adds the most informative timeline: both runs overlaid, the only run, or the memory in its log. If the
/// report is live, the figure includes its data. Adds nothing if nothing was measured over time.
void addMainTimeline(std::vector<ReportBlock>& blocks, const ReportMaterial& material);
/// Adds each run separately, at one scale, and all of its logs.
void addTimelines(std::vector<ReportBlock>& blocks, const ReportMaterial& material);

} // namespace highwater

#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// Figures over time with the flags of the notes, shared by the summary and the timelines.
namespace highwater {

/// The one that tells most: both runs over each other, the run, or the memory that its log tells; with its
/// data where the report is live. None where nothing was measured over time.
void addMainTimeline(std::vector<ReportBlock>& blocks, const ReportMaterial& material);
/// Each run on its own, in one scale, and all of its logs.
void addTimelines(std::vector<ReportBlock>& blocks, const ReportMaterial& material);

} // namespace highwater

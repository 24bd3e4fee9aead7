#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// Steps of two runs side by side, for several parts.
namespace highwater {

/// True if the run has a device and its steps were detected.
bool hasSteps(const RunMaterial& run);

/// Adds a figure with the peaks of paired steps; nothing if either run has no steps.
void addStepPairs(std::vector<ReportBlock>& blocks, const ReportMaterial& material);
/// Adds a table with the peaks of paired steps; nothing if either run has no steps.
void addStepPairTable(std::vector<ReportBlock>& blocks, const ReportMaterial& material);

} // namespace highwater

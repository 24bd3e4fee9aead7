#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// Steps of two runs beside each other, for several parts.
namespace highwater {

/// Whether the run has a device and steps can be told apart.
bool hasSteps(const RunMaterial& run);

/// The peaks of the steps that belong together as a figure; nothing where either run has no steps.
void addStepPairs(std::vector<ReportBlock>& blocks, const ReportMaterial& material);
/// The same as a table.
void addStepPairTable(std::vector<ReportBlock>& blocks, const ReportMaterial& material);

} // namespace highwater

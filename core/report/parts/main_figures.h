#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// The main figures of a run with a device.
namespace highwater {

/// Returns all figures with a value, in the same order for every run.
ReportFacts factsOfRun(const RunMaterial& run);
/// Returns both runs side by side, with the differences.
Table figuresOfBoth(const ReportMaterial& material);
/// Returns the most important rows, each in one line: half a page has room for only one table.
ReportFacts factsOfBoth(const ReportMaterial& material);
/// Returns at most three figures to be shown large: the peak, then growth or room, then the failure or the
/// budget.
ReportFacts keyFigures(const ReportMaterial& material);

} // namespace highwater

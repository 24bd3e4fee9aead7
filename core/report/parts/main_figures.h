#pragma once

#include "core/report/input/report_material.h"

/// The main figures of a run with a device.
namespace highwater {

/// Returns all figures with a value, in the same order for every run.
ReportFacts factsOfRun(const RunMaterial& run);
/// Returns both runs side by side, with the differences.
Table figuresOfBoth(const ReportMaterial& material);
/// Returns the most important rows, each in one line: half a page has room for only one table.
ReportFacts factsOfBoth(const ReportMaterial& material);
/// Returns at most three figures of two runs with devices, to be shown large: the peak; the leak if a run has
/// one, else the reserved bytes; the failure if a run had one, else the peak as a multiple of the budget. The
/// reserved peak, then the allocations at the peak, take the place of a figure that is unknown. Empty for
/// logs, and for a single run, whose sentences have its figures.
ReportFacts keyFigures(const ReportMaterial& material);

} // namespace highwater

#pragma once

#include <vector>

#include "core/report/input/report_material.h"

/// The figures that a run is known by. Of runs with a device.
namespace highwater {

/// All of them with a value, in the same order for every run.
ReportFacts factsOfRun(const RunMaterial& run);
/// Both runs beside each other, with the differences.
Table figuresOfBoth(const ReportMaterial& material);
/// The rows that matter most, each in one line: half a page has room for one table.
ReportFacts factsOfBoth(const ReportMaterial& material);
/// At most three, to be read from afar: the peak, then growth or room, then the failure or the budget.
ReportFacts keyFigures(const ReportMaterial& material);

} // namespace highwater

#pragma once

#include "core/analysis/sweep/run_sweep.h"
#include "core/table/table.h"

/// Tables of several runs.
namespace highwater {

/// A row for each run, as given: fixed columns, then one for each category that any of them holds at its
/// peak. A run without figures has the reason in the column after its name, and nothing else.
Table sweepTable(const RunSweep& sweep);

/// The settings that differ: a column for each run that could be read.
Table sweepSettingTable(const RunSweep& sweep);
/// The same with a row for each value, and the runs that have it, named in this order.
Table sweepValueTable(const RunSweep& sweep, const std::vector<std::size_t>& order);

} // namespace highwater

#pragma once

#include "core/analysis/sweep/run_sweep.h"
#include "core/table/table.h"

/// Tables of several runs.
namespace highwater {

/// Returns one row per run in the given order: fixed columns, then one for each category that any run has
/// at its peak. A run without figures has only its name and, in the next column, the reason.
Table sweepTable(const RunSweep& sweep);

/// Returns the settings that differ: one column for each readable run.
Table sweepSettingTable(const RunSweep& sweep);
/// Returns the settings that differ, one row per value. The readable runs that have it are named; `order` has
/// the indices of the runs to name.
Table sweepValueTable(const RunSweep& sweep, const std::vector<std::size_t>& order);

} // namespace highwater

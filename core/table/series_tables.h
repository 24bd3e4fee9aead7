#pragma once

#include "core/analysis/diff/log_diff.h"
#include "core/table/table.h"

/// Tables of the series in logs.
namespace highwater {

/// Returns one row for each series that has a value, memory figures first.
Table seriesTable(const Trace& log);

/// Returns the series that both logs have. `before` is the first log of `diff`.
Table seriesPairTable(const Trace& before, const LogDiff& diff);

} // namespace highwater

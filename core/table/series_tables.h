#pragma once

#include "core/analysis/diff/log_diff.h"
#include "core/table/table.h"

/// Tables of the series in logs.
namespace highwater {

/// One row for each series with a value, memory figures first.
Table seriesTable(const Trace& log);

/// The series in both logs. `before` is the first log of `diff`.
Table seriesPairTable(const Trace& before, const LogDiff& diff);

} // namespace highwater

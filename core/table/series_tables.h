#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/diff/logs/log_diff.h"
#include "core/table/table.h"

/// Tables of the series in logs.
namespace highwater {

/// Returns one row for each series that has a value, memory figures first.
Table seriesTable(const Trace& log);
/// Returns one row for each of these series, in their order; all must have a value. They are indices into
/// `Trace::counters`.
Table seriesTable(const Trace& log, const std::vector<std::size_t>& series);

/// Returns the series that both logs have. `before` is the first log of `diff`.
Table seriesPairTable(const Trace& before, const LogDiff& diff);

} // namespace highwater

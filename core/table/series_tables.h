#pragma once

#include "core/analysis/diff/log_diff.h"
#include "core/table/table.h"

/// Tables of what logs measured.
namespace highwater {

/// A row for each series with a value, figures of memory first.
Table seriesTable(const Trace& log);

/// The series that both logs have. `before` is what `diff` is of.
Table seriesPairTable(const Trace& before, const LogDiff& diff);

} // namespace highwater

#pragma once

#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// Sets `DiffRow::moved` of rows whose larger size the other run also had, at another moment than the
/// compared one. Such a row did not grow: its blocks live longer, or the peak is elsewhere. Only for rows
/// that are stacks. O(allocations × log allocations of rows that changed).
void markMovedRows(
    const DiffInput& before, const DiffInput& after, const StackClasses& classes, RunDiff& diff);

} // namespace highwater

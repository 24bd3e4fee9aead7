#pragma once

#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// Sets `DiffRow::isMoved` of rows that only seem to have changed. In the run with fewer bytes, such a row
/// had at least the larger amount alive at another moment.
/// Rows must be stacks. O(allocations + n × log n) for n allocations of rows that changed.
void markMovedRows(
    const DiffInput& before, const DiffInput& after, const StackClasses& classes, RunDiff& diff);

} // namespace highwater

#pragma once

#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// Sets `DiffRow::moved` of rows whose larger side the other run has had as well, at another moment than the
/// one that is compared: what lives longer, or is at the peak because the peak is elsewhere, did not grow. Of
/// rows that are stacks. O(allocations × log allocations of rows that changed).
void markMovedRows(
    const DiffInput& before, const DiffInput& after, const StackClasses& classes, RunDiff& diff);

} // namespace highwater

#pragma once

#include "core/analysis/diff/log_diff.h"

namespace highwater {

/// Whether the peak moved, by the pair that is compared, and what else a reader has to know: who ran out of
/// memory, what moved to the host, where the runs are of different length. `diff.verdict` is not looked at.
/// O(failures).
DiffVerdict logVerdict(const LogDiff& diff, const Trace& before, const Trace& after);

/// "line 7, GPU 0, during step 5 (inferred): 17.66 GiB requested, 4.97 GiB free, …".
std::string failureText(const Trace& log, const LogFailure& failure);

/// A difference in the unit of the series: "−24.61 GiB", "+12".
std::string valueDeltaText(const CounterSeries& series, double delta);

} // namespace highwater

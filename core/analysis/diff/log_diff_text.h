#pragma once

#include <string>

#include "core/analysis/logs/log_failures.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns "line 7, GPU 0, during step 5 (inferred): 17.66 GiB requested, 4.97 GiB free, …".
std::string failureText(const Trace& log, const LogFailure& failure);

/// Returns a difference in the unit of the series: "−24.61 GiB", "+12".
std::string valueDeltaText(const CounterSeries& series, double delta);

/// Returns the measure in words, with the series' name: "allocated peak (perf/max_memory_allocated_gb)".
std::string measureText(const CounterSeries& series);
/// Returns "perf/max_memory_allocated_gb, rank 0".
std::string seriesTitle(const CounterSeries& series);

} // namespace highwater

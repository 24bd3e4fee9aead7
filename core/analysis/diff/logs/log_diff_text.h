#pragma once

#include <string>

#include "core/analysis/logs/log_failures.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns "line 7, GPU 0, after step 4: 17.66 GiB requested, 4.97 GiB free, …".
std::string failureText(const Trace& log, const LogFailure& failure);

/// Returns a difference in the unit of the series: "−24.61 GiB", "+12".
std::string valueDeltaText(const CounterSeries& series, double delta);

/// Returns what the series measures: "allocated peak"; may be empty.
std::string metricText(const CounterSeries& series);
/// Returns the measure in words, with the series' name: "allocated peak (perf/max_memory_allocated_gb)";
/// without a name of its own "reserved peak, rank 0".
std::string measureText(const CounterSeries& series);
/// Returns "perf/max_memory_allocated_gb, rank 0".
std::string seriesTitle(const CounterSeries& series);

} // namespace highwater

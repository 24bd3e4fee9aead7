#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Returns the events at which a summary keeps the curve, ascending, from −1 to the last one: the peak,
/// failures, the largest and the smallest total of each of `columns` equal parts, and, with `steps`, each
/// step's start, peak and end. O(events).
std::vector<std::int64_t> summaryEvents(
    const DeviceStudy& study, const DeviceFigures& figures, std::size_t columns, bool withSteps);

/// Returns the curve at these events, in all categories. O(allocations + events).
SummaryMoments summaryMoments(const DeviceStudy& study, std::vector<std::int64_t> events);

} // namespace highwater

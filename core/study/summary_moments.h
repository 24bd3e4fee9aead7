#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Returns the events at which a summary keeps the curve, ascending, including −1 and the last event. They
/// are the peaks in use and reserved, the failures, and the largest and smallest total of each of at most
/// `columns` equal parts. With `withSteps`, the start, peak and end of each step are added. O(events + n log
/// n) for n kept events.
std::vector<std::int64_t> summaryEvents(
    const DeviceStudy& study, const DeviceFigures& figures, std::size_t columns, bool withSteps);

/// Returns the curve at these events in all categories, with the reserved bytes and times that were recorded.
/// O(allocations + events).
SummaryMoments summaryMoments(const DeviceStudy& study, std::vector<std::int64_t> events);

} // namespace highwater

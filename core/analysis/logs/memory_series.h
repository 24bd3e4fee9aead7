#pragma once

#include <cstddef>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// True for a total that only grows while the process lives, such as all bytes that PyTorch ever allocated
/// (`allocated_bytes.all.allocated`). It says nothing about the memory in use at a time.
bool isLifetimeTotal(const CounterSeries& series);

/// True if the series samples the memory in use: its writer read it at some moments, so it may have been
/// higher between two points, and its largest value is no peak. False for peaks that the measured process
/// keeps ("allocated_peak") and for other measures.
bool isSampled(const CounterSeries& series);

/// The series of a log that have a finite value, as indices into `Trace::counters`.
struct DisplayedSeries
{
    /// Memory of the GPU that the log is about: allocated, reserved, used and their peaks first. If the log
    /// is about several GPUs, those of the ranks that ran out of memory, the first one first, else that with
    /// the highest value of the best measure.
    std::vector<std::size_t> own;
    /// Memory of other GPUs, lifetime totals, host memory, and everything else, in this order.
    std::vector<std::size_t> more;
};
/// Divides the series with a finite value into the two lists. O(points + series × log series).
DisplayedSeries displayedSeries(const Trace& log);

/// Returns the series of `own` to draw together, without negative values: at most four, one of each known
/// measure and the first of `own` first; of several ranks, the measure of that first series for each rank, at
/// most eight. Empty if
/// the log has no memory of a GPU.
std::vector<std::size_t> drawnSeries(const Trace& log, const DisplayedSeries& series);

} // namespace highwater

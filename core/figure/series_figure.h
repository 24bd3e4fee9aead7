#pragma once

#include <string>
#include <vector>

#include "core/figure/sheet/figure_sheet.h"
#include "core/figure/sheet/note_flag.h"
#include "core/trace/trace.h"

namespace highwater {

/// Series of one log that can be laid over each other: in one unit, of what is at least 0.
struct SeriesInFigure
{
    const Trace& log;
    std::vector<std::size_t> series; ///< in `Trace::counters`; at least one
    std::string title; ///< what they measure
};

/// The series of device memory that the log has, the best measure first, in one unit: what is allocated and
/// what is reserved, of the writer that went highest. Empty: it has none. O(points).
std::vector<std::size_t> memorySeriesOf(const Trace& log);

/// The series over the steps of the run, else over time, else point by point, with the capacity of the device
/// where the log tells it, and where memory ran out. `flags` are at lines of the log. At most four points of
/// a series are drawn for each pixel. O(points × flags).
Figure seriesFigure(
    const SeriesInFigure& what, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater

#pragma once

#include <string>
#include <vector>

#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"
#include "core/trace/trace.h"

namespace highwater {

/// Series of one log that can be overlaid: in one unit, with values of at least 0.
struct SeriesInFigure
{
    const Trace& log;
    std::vector<std::size_t> series; ///< Indices into `Trace::counters`; at least one
    std::string title; ///< The quantity measured
};

/// Returns at most four of the log's series of device memory, in one unit and the best measure first:
/// allocated and reserved memory of the process with the highest value, as the window draws them. Empty if
/// the log has none. O(points).
std::vector<std::size_t> memorySeriesOf(const Trace& log);

/// Draws the series over the steps of the run, else over time, else point by point, with the device's
/// capacity if the log states it, and marks where memory ran out. `flags` are at lines of the log. At most
/// four points of a series are drawn per pixel. O(n × log points) for n points, log events and flags.
Figure seriesFigure(
    const SeriesInFigure& input, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater

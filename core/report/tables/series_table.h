#pragma once

#include <string>
#include <vector>

#include "core/table/sinks/table_writer.h"
#include "core/trace/trace.h"

namespace highwater {

/// Returns the names of the columns of `writeSeries`: series, rank, device, process, step, epoch, time_ns,
/// line, label, value, unit.
std::vector<std::string> seriesColumns();

/// Writes the points of all series, one row each, series by series in the order of the file. Times count from
/// the Unix epoch, as in `Trace`; unknown values are missing. Stops early if the writer has stopped.
/// O(points).
void writeSeries(const Trace& trace, TableWriter& writer);

} // namespace highwater

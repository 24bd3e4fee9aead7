#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/export_description.h"

namespace highwater::nsys {

/// The memory-usage table by time, rows of one time in the order of the file. What cannot be an allocation or
/// a free is left out and counted in the log.
std::vector<MemoryRow> readMemoryRows(Database& database, Nanoseconds offset, TraceBuilder& builder);

/// What memory pools held, by time: from the memory-usage rows, and from the table of pool events.
std::vector<PoolFigure> readPoolFigures(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows);

} // namespace highwater::nsys

#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/export_description.h"

namespace highwater::nsys {

/// Reads the memory-usage table by time; rows of one time keep the order of the file. Rows that cannot be an
/// allocation or a free are dropped and counted in the log.
std::vector<MemoryRow> readMemoryRows(Database& database, Nanoseconds offset, TraceBuilder& builder);

/// Figures of memory pools, by time: from the memory-usage rows, and from the table of pool events.
std::vector<PoolFigure> readPoolFigures(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows);

} // namespace highwater::nsys

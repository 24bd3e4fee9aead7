#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/export_description.h"

namespace highwater::nsys {

/// Reads the memory-usage table and sorts the rows by time, O(n log n); rows with the same time keep the
/// order of the file. `offset` is added to all times. Rows without a usable time, address, size or operation
/// are dropped and counted in the log.
std::vector<MemoryRow> readMemoryRows(Database& database, Nanoseconds offset, TraceBuilder& builder);

/// Returns the figures of memory pools, sorted by time: those of `rows`, and those of the table of pool
/// events, to whose times `offset` is added.
std::vector<PoolFigure> readPoolFigures(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows);

} // namespace highwater::nsys

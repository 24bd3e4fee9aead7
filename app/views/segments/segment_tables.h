#pragma once

#include "app/models/cell_table_model.h"
#include "app/workspace/document/device_analysis.h"
#include "core/analysis/segments/allocator_moment.h"

namespace highwater::gui {

/// Rows of the tables next to the address map.

/// Figures for each pool, stream and size class; id: its place in `Fragmentation::lists`.
CellTable freeListTable(const DeviceAnalysis& analysis, const AllocatorMoment& moment);
/// Holes by size; id: its place in `Fragmentation::holes`.
CellTable holeTable(const AllocatorMoment& moment);
/// What pins segments that are mostly free, at most `most` of them; id: its place in `Fragmentation::pinned`.
CellTable pinnedTable(const DeviceAnalysis& analysis, const AllocatorMoment& moment, std::size_t most);

} // namespace highwater::gui

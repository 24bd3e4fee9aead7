#pragma once

#include <string_view>

#include "core/analysis/categories/category_table.h"

namespace highwater {

/// Returns the category that a recorder's word means. torch.profiler's memory timelines have PARAMETER,
/// OPTIMIZER_STATE, INPUT, TEMPORARY, ACTIVATION, GRADIENT and AUTOGRAD_DETAIL. The last is memory that
/// backward allocates and soon frees, so it is temporary. Any other word is Category::Unknown.
Category categoryOfRecordedWord(std::string_view word);

/// Gives allocations for which the trace has the recorder's word (`MemoryEvent::category`) that category,
/// with grade B because recorders use heuristics, too. A summary's own names are taken as they are. A word
/// without a category makes an allocation Category::Unknown, since the recorder saw more than the trace
/// holds. The trace must be the one of the allocations. O(allocations).
void applyRecordedCategories(const Trace& trace, const AllocationTable& allocations, CategoryTable& table);

} // namespace highwater

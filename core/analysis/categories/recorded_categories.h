#pragma once

#include <string_view>

#include "core/analysis/categories/category_table.h"

namespace highwater {

/// The category that a recorder's word means. torch.profiler's memory timelines have PARAMETER,
/// OPTIMIZER_STATE, INPUT, TEMPORARY, ACTIVATION, GRADIENT and AUTOGRAD_DETAIL, which is memory that backward
/// allocates and soon frees: temporary. Any other word is Category::Unknown.
Category categoryOfRecordedWord(std::string_view word);

/// Allocations for which the trace has the recorder's word (`MemoryEvent::category`) get that category, with
/// grade B (a summary's own names count as they are): recorders work by heuristics, too. What the recorder
/// does not know stays unknown: it looked at more than the trace holds. O(allocations); the trace must be the
/// one of the allocations.
void applyRecordedCategories(const Trace& trace, const AllocationTable& allocations, CategoryTable& table);

} // namespace highwater

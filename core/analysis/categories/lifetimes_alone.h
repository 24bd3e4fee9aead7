#pragma once

#include "core/analysis/categories/category_evidence.h"
#include "core/analysis/categories/category_table.h"

namespace highwater {

/// True if no freed block has an allocating stack and no phase is known, so that only sizes and lifetimes can
/// show what a block is. Blocks that are live at the end may have stacks (`context="state"`).
bool showsLifetimesAlone(const CategoryEvidence& evidence);

/// Guesses categories from sizes and lifetimes (grade C). For freed blocks, overrides the rules for single
/// lifetimes, except for workspaces and for blocks that are freed at once far from a turn. Freed blocks that
/// no guess applies to become unknown. O(allocations × log allocations).
void judgeByLifetimesAlone(const CategoryEvidence& evidence, CategoryTable& table);

} // namespace highwater

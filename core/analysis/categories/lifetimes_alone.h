#pragma once

#include "core/analysis/categories/category_evidence.h"
#include "core/analysis/categories/category_table.h"

namespace highwater {

/// True if the recording has no stacks at its events and shows no phase, so that only sizes and lifetimes can
/// tell what a block is. Blocks that are live at the end may have stacks (`context="state"`).
bool showsLifetimesAlone(const CategoryEvidence& evidence);

/// Guesses categories from sizes and lifetimes (grade C). Overrides the rules for single lifetimes, apart
/// from cuBLAS's workspace, and sets what no guess applies to as unknown. O(allocations × log allocations).
void judgeByLifetimesAlone(const CategoryEvidence& evidence, CategoryTable& table);

} // namespace highwater

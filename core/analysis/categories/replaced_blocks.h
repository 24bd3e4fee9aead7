#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Judges blocks with a parameter's size that the user's own code allocates while it trains, by the blocks
/// that replace them: weights or state that each step computes again (a moving average), weights and state
/// that are replaced by longer ones (points added to a scene), and results that are freed before the next
/// ones. Grade C. O(allocations × log allocations).
void judgeReplacedBlocks(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

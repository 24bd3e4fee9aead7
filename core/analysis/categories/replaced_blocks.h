#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Judges blocks of parameters' sizes that the user's own code makes while it trains, by which block replaces
/// which: weights that each step computes anew (a moving average), copies of them that each step renews
/// (state), state and weights replaced by longer ones (points added to a scene), and results that are dropped
/// before others are made (no state). Grade C. O(allocations).
void judgeReplacedBlocks(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Judges blocks of parameters' sizes that the user's own code makes while it trains, by what takes whose
/// place: weights that each step works out anew (a moving average), copies of them that each step renews
/// (state), state and weights replaced by longer ones (points added to a scene), results that are dropped
/// before others are made (no state). All of grade C. O(allocations).
void judgeReplacedBlocks(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

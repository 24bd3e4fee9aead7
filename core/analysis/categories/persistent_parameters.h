#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Finds parameters among what is there before training begins and never goes away, and is still
/// Category::Unknown: as many blocks of each size as there are parameters. Where there are three times as
/// many and no optimizer state was seen although the optimizer steps, two of the three are its state; which
/// ones is not known. What else the same stack made, and many blocks more than there are trained parameters,
/// are parameters by a guess (grade C). In a trace that only runs the model, what is older is a parameter.
/// O(allocations).
void findPersistentParameters(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

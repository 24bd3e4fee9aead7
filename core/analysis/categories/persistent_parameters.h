#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Judges the blocks that are still Category::Unknown and stay: they are never freed, or outlive set-up
/// (`CategoryEvidence::outlivesSetUp`). Whole sets of blocks with the parameters' sizes are parameters,
/// persistent gradients and optimizer state. Frozen weights are found by their number or stack, and data by
/// the code outside the model that keeps it (both grade C). persistent_parameters.cpp has the rules.
/// O(allocations + parameters × log parameters).
void findPersistentParameters(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Judges the blocks that are still Category::Unknown and stay: they are never freed, or outlive set-up
/// (`CategoryEvidence::outlivesSetUp`). Finds parameters, persistent gradients and optimizer state by whole
/// sets of blocks with the parameters' sizes, frozen weights by their number or stack (grade C), and data
/// that code outside the model keeps (grade C). persistent_parameters.cpp has the rules. O(allocations +
/// parameters × log parameters).
void findPersistentParameters(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

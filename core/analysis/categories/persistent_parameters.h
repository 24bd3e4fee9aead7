#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Finds parameters among the allocations that exist before training begins, are never freed and are still
/// Category::Unknown: as many blocks of each size as there are parameters. If there are three times as many
/// and no optimizer state was seen although the optimizer steps, two thirds are its state; which ones is not
/// known. Other blocks from the same stack, and many more blocks than there are trained parameters, are
/// guessed to be parameters (grade C). In a trace that only runs the model, allocations older than the trace
/// are parameters. Other blocks that code outside the model made and keeps are guessed to be data (grade C).
/// O(allocations).
void findPersistentParameters(
    const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

} // namespace highwater

#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Finds blocks of one stack, made before training, nearly all of which have twice the size of a parameter:
/// fp32 copies of 16-bit weights. They are optimizer state, as master weights are, unless the state has the
/// size of the 16-bit weights or the copies were read from a file; then they are parameters of a second
/// model. Grade C. O(allocations).
void findWiderCopies(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

/// Judges blocks that are still unknown, kept by the user's code, or judged by their lifetime alone. One
/// block with as many bytes as all weights of a model is a moving average, the tensor that an optimizer of
/// flat tensors works on, or its gradient. A set that matches a model's weights one to one in some precision
/// is a copy of them. Grade C. O(allocations × log allocations).
void findModelCopies(const CategoryEvidence& evidence, CategoryTable& table);

} // namespace highwater

#pragma once

#include "core/analysis/categories/category_table.h"
#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

/// Sets of blocks, made before training, of twice the bytes of all parameters: copies in 32 bits that the
/// optimizer works on are its state; where its state is as narrow as the weights, or the copies were read
/// from a file, they are the same model once more. Of grade C. O(allocations).
void findWiderCopies(const CategoryEvidence& evidence, const ParameterSizes& sizes, CategoryTable& table);

/// Of what is still unknown, kept by the user's code or judged by its lifetime alone: one block with as many
/// bytes as all weights of a model (a moving average, or what an optimizer of flat tensors works on, with its
/// gradient), and sets that match a model's weights one to one in some precision. Of grade C. O(allocations).
void findModelCopies(const CategoryEvidence& evidence, CategoryTable& table);

} // namespace highwater

#pragma once

#include <string>
#include <vector>

#include "core/analysis/steps/grade.h"
#include "core/analysis/tensor_shapes/known_numbers.h"
#include "core/analysis/tensor_shapes/shape_question.h"

namespace highwater {

/// One dimension of a shape.
struct ShapeDimension
{
    std::int64_t value = 0;
    std::string name; ///< "B", "T", "3 × hidden", or "T?" if derived by arithmetic alone
};

/// A possible shape for a size, as a hint.
struct TensorShape
{
    std::vector<ShapeDimension> dimensions; ///< outermost first; their product × elementBytes is the size
    std::int64_t elementBytes = 4; ///< 1, 2 or 4
    Grade grade = Grade::C; ///< B if all numbers are given and the frames agree; never A
    int cost = 0; ///< evidence against it, most of all free dimensions; lower is better
    std::string reason; ///< the source of the numbers, a sentence

    /// Returns "[8, 174, 50,257] fp32".
    std::string text() const;
    /// Returns "B × T × vocabulary".
    std::string names() const;
};

/// Returns the layouts of weights and activations that have exactly this size with the known numbers, best
/// first, at most five. One dimension may be unknown only if the others are distinctive. Empty if nothing
/// fits well. O(layouts × values of their dimensions), a few thousand multiplications at most.
std::vector<TensorShape> tensorShapes(const ShapeQuestion& question, const KnownNumbers& numbers);

} // namespace highwater

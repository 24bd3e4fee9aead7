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
    std::string name; ///< "B", "T", "3 × hidden", "T?" where only arithmetic says so
};

/// A possible shape for a size, as a hint.
struct TensorShape
{
    std::vector<ShapeDimension> dimensions; ///< outermost first; their product × elementBytes is the size
    std::int64_t elementBytes = 4; ///< 1, 2, 4
    Grade grade = Grade::C; ///< B: all numbers are given, and the frames agree; never A
    int cost = 0; ///< evidence against it: free dimensions weigh most; less is better
    std::string reason; ///< where the numbers come from, a sentence

    /// "[8, 174, 50,257] fp32"
    std::string text() const;
    /// "B × T × vocabulary"
    std::string names() const;
};

/// The layouts of weights and activations that have exactly this size with the known numbers, best first, at
/// most five; with one unknown dimension only if the others are distinctive. Empty: nothing fits well.
/// O(layouts × values of their dimensions), a few thousand multiplications at most.
std::vector<TensorShape> tensorShapes(const ShapeQuestion& question, const KnownNumbers& numbers);

} // namespace highwater

#pragma once

#include <string>
#include <vector>

#include "core/analysis/steps/grade.h"
#include "core/analysis/tensor_shapes/known_numbers.h"
#include "core/analysis/tensor_shapes/shape_question.h"

namespace highwater {

struct ShapeDimension
{
    std::int64_t value = 0;
    std::string name; ///< "B", "T", "3 × hidden"; "T?" if not confirmed by a known number
};

/// A possible shape for a size, as a hint.
struct TensorShape
{
    /// Outermost first. Their product × elementBytes is the size before rounding.
    std::vector<ShapeDimension> dimensions;
    std::int64_t elementBytes = 4; ///< 1, 2 or 4
    Grade grade = Grade::C; ///< B if all numbers are given and the frames agree; never A
    int cost = 0; ///< lower is better; open dimensions cost most
    std::string reason; ///< the source of the numbers, a sentence

    /// Returns "[8, 174, 50257] fp32".
    std::string text() const;
    /// Returns "B · T · vocabulary".
    std::string names() const;
};

/// Returns the shapes of weights and activations that have exactly this size (after rounding, if sizes are
/// rounded) with the known numbers, best first, at most five. Only attention scores and logits with a
/// distinctive vocabulary may have unknown dimensions. Empty if nothing fits, and below 1 KiB. O(layouts ×
/// combinations of values), a few thousand multiplications at most.
std::vector<TensorShape> tensorShapes(const ShapeQuestion& question, const KnownNumbers& numbers);

} // namespace highwater

#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/tensor_shapes/known_numbers.h"

namespace highwater {

/// The kind of tensor that a layout describes.
enum class LayoutKind : std::uint8_t
{
    Weight,
    Activation,
    FeedForward, ///< activations as wide as the MLP
    Attention, ///< scores, one for each pair of positions
    Logits,
};

/// One dimension of a layout: `times` × the number of the dimension − `less`.
struct Factor
{
    Dimension dimension;
    std::int64_t times = 1;
    std::int64_t less = 0;
};

/// A kind of tensor with the dimensions that it usually has, outermost first.
struct Layout
{
    LayoutKind kind;
    std::vector<Factor> factors;
    int cost = 0; ///< higher for more unusual layouts
};

/// Returns the layouts that tensors of transformers usually have.
const std::vector<Layout>& tensorLayouts();

} // namespace highwater

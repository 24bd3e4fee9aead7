#pragma once

#include <optional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Blocks of the peak whose sizes are those of attention matrices.
struct AttentionShape
{
    std::int64_t matrices = 0; ///< B · heads
    std::int64_t tokens = 0; ///< T
    Bytes size = 0; ///< total of all matrices, in fp32
    std::vector<AllocationIndex> blocks; ///< ascending
};

/// Finds attention matrices of models without frames that name a softmax: at least four blocks from one line
/// that also makes hidden states, which are no layer's output (no parameter is as wide), with B · heads · T²
/// elements for a T that divides the tokens of the hidden states and heads of a usual width. nullopt if more
/// than one T fits and no table of positions, the only parameter of its size, decides. O(allocations +
/// parameters).
std::optional<AttentionShape> attentionBySizes(const DetectorInput& input);

} // namespace highwater

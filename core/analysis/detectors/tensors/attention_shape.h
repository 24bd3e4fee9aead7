#pragma once

#include <optional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Blocks of the peak whose sizes are those of attention's matrices.
struct AttentionShape
{
    std::int64_t matrices = 0; ///< B · heads
    std::int64_t tokens = 0; ///< T
    Bytes size = 0; ///< of all of them together, in fp32
    std::vector<AllocationIndex> blocks; ///< ascending
};

/// For models without frames that name a softmax: at least four blocks of one line that makes hidden states,
/// too, that are no layer's output (no parameter is as wide), and B · heads · T² elements for a T that
/// divides the tokens of the hidden states and heads of a usual width. None where more than one T fits and no
/// table of positions, the only parameter of its size, tells which. O(allocations + parameters).
std::optional<AttentionShape> attentionBySizes(const DetectorInput& input);

} // namespace highwater

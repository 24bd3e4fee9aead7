#pragma once

#include <optional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Blocks of the peak whose size is that of the attention matrices of one layer.
struct AttentionShape
{
    std::int64_t matrices = 0; ///< B · heads
    std::int64_t tokens = 0; ///< T
    Bytes size = 0; ///< bytes of one block: all matrices of a layer, in fp32
    std::vector<AllocationIndex> blocks; ///< ascending
};

/// Finds attention matrices by their size, for models without frames that name a softmax. A size must
/// satisfy:
/// - at least four blocks of the peak have it, and their line also makes hidden states, which are narrower;
/// - no parameter is as wide, so the blocks are not the output of a layer;
/// - it is B · heads · T² fp32 elements, for a T that divides the tokens of a step and for heads of a usual
///   width.
///
/// If several T fit, the only parameter with T rows (a table of positions) decides. Among several sizes, the
/// one with most blocks is returned. nullopt if no size satisfies all of this. O(allocations + parameters).
std::optional<AttentionShape> attentionBySizes(const DetectorInput& input);

} // namespace highwater
